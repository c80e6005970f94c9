// Files that answers link to (screenshots and the like): the signed link is the credential, and it expires.
import { Problem } from '../../base/problem.ts'
import { defineCapability } from '../capability.ts'
import { StreamReply } from '../route.ts'
import { needs, route } from './needs.ts'

const getMedia = route({
  method: 'GET',
  path: '/v2/media/:token',
  summary: 'Download a file that an answer linked to',
  tag: 'Media',
  command: null,
  async handle({ store }, { params }) {
    const blob = await store.blobs.open(params.token ?? '')
    if (!blob) throw new Problem('not_found')
    return new StreamReply(blob.stream, blob.contentType, {
      'content-length': String(blob.bytes),
      'cache-control': 'private, no-store',
      // A stored page is hostile: it may be looked at, but never run as part of this origin.
      'content-security-policy': "sandbox; default-src 'none'; img-src 'self'; media-src 'self'",
      'content-disposition': 'inline',
    })
  },
})

export const media = defineCapability({ name: 'media', needs, routes: [getMedia] })
