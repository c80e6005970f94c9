// Upload references: signed claims (upload, team, expiry), opaque to clients.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../base/problem.ts'

export type UploadClaim = { id: string; team: string; exp: number }

export function signUploadRef(claim: UploadClaim, secret: string): string {
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url')
  return `${payload}.${mac(payload, secret).toString('base64url')}`
}

export function verifyUploadRef(ref: string, secret: string, now: number): UploadClaim {
  const [payload = '', signature = ''] = ref.split('.', 2)
  const given = Buffer.from(signature, 'base64url')
  const right = mac(payload, secret)
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Problem('bad_request', { instead: 'Invalid uploadRef: its signature does not match.' })
  const claim = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as UploadClaim
  if (claim.exp <= now) throw new Problem('bad_request', { instead: 'The uploadRef has expired.' })
  return claim
}

const mac = (payload: string, secret: string): Buffer =>
  createHmac('sha256', `upload-ref:${secret}`).update(payload).digest()
