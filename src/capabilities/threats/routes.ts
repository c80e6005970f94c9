// A team's threat policy, and a dry run that assesses a URL without visiting it.
import { Problem } from '../../base/problem.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute } from '../route.ts'
import { threatCheckBody, threatCheckReply, threatPolicyBody, threatPolicyReply } from './schema.ts'

const tag = 'Account'

const readPolicy = defineRoute({
  method: 'GET',
  path: '/v2/team/threat-protection',
  summary: 'The threat protection policy of the team',
  bucket: 'account',
  reply: threatPolicyReply,
  async handle({ threats }, _input, { caller }) {
    if (threats.floor === 'off') throw offHere()
    return { success: true, data: await threats.read(caller.teamId) }
  },
})

const writePolicy = defineRoute({
  method: 'PUT',
  right: 'admin',
  path: '/v2/team/threat-protection',
  summary: 'Replace the threat protection policy of the team',
  bucket: 'account',
  body: threatPolicyBody,
  reply: threatPolicyReply,
  async handle({ threats }, { body }, { caller }) {
    if (threats.floor === 'off') throw offHere()
    if (body.mode === 'zscaler') throw new Problem('forbidden', { because: 'no zscaler connection is configured' })
    if (body.mode === 'off' && threats.floor === 'enforced')
      throw new Problem('forbidden', { because: 'threat protection is enforced on this service' })
    const { origin: _origin, integration: _integration, ...policy } = body
    return { success: true, data: await threats.write(caller.teamId, policy) }
  },
})

const checkAddress = defineRoute({
  method: 'POST',
  path: '/v2/team/threat-protection/check',
  summary: 'Threat check of a URL, without a visit',
  bucket: 'account',
  body: threatCheckBody,
  reply: threatCheckReply,
  async handle({ threats }, { body }, { caller }) {
    const url = new URL(body.url)
    const policy = await threats.policyFor(caller.teamId, body.threatProtection ?? { mode: 'normal' })
    if (!policy) throw offHere()
    const { blocked, rule, score, reasons } = threats.guard.judge(url, policy)
    return { success: true, data: { url: url.href, blocked, rule, riskScore: score, reasons } }
  },
})

const offHere = () => new Problem('forbidden', { because: 'threat protection is switched off on this service' })

export const threatsCapability = defineCapability({
  name: 'threats',
  tag,
  right: 'use',
  group: 'open',
  routes: [readPolicy, writePolicy, checkAddress],
  prices: [{ what: 'a risk computed by threat protection, per URL', credits: 2 }],
})
