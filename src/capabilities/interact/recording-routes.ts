// Recordings of ended sessions for players: the pages that one shows, and each as an HLS playlist.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { ReadyReply } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { defineRoute } from './own-services.ts'
import { writePlaylist } from './recording-video.ts'

const replayReply = successReply({
  pages: z.array(
    z.object({
      pageId: z.string(),
      url: z.string().describe('The playlist.'),
      pageUrl: z.string(),
      startTimeMs: z.int().describe('Measured from the start of the session.'),
      endTimeMs: z.int(),
    }),
  ),
  pageCount: z.int(),
})

const list = (prefix: string, isMain: boolean) =>
  defineRoute({
    method: 'GET',
    path: `${prefix}/:sessionId/replay`,
    summary: 'List the pages that the recording of a session shows',
    command: isMain ? 'session replay' : null,
    bucket: 'jobStatus',
    reply: replayReply,
    async handle({ browserSessions, replays }, { params }, { caller }) {
      const row = await browserSessions.find(caller.teamId, params.sessionId ?? '')
      const pages = await replays.pages(row)
      return {
        success: true,
        pages: pages.map(({ url, from, to }, index) => ({
          pageId: String(index),
          url: `${prefix}/${row.id}/replay/${index}`,
          pageUrl: url,
          startTimeMs: from,
          endTimeMs: Math.max(to, from + 1),
        })),
        pageCount: pages.length,
      }
    },
  })

const playlist = (prefix: string) =>
  defineRoute({
    method: 'GET',
    path: `${prefix}/:sessionId/replay/:pageId`,
    summary: 'Play a page of a recording: an HLS playlist',
    command: null,
    bucket: 'jobStatus',
    serves: ['application/vnd.apple.mpegurl'],
    async handle({ browserSessions, replays, store }, { params }, { caller, baseUrl }) {
      const row = await browserSessions.find(caller.teamId, params.sessionId ?? '')
      const pageId = params.pageId ?? ''
      if (!/^\d{1,4}$/.test(pageId))
        throw new Problem('bad_request', { because: 'pageId: a whole number, as `GET …/replay` lists them' })
      const { blobId, videos, expiresAt } = await replays.video(row)
      const video = videos[Number(pageId)]
      if (!video) throw new Problem('not_found', { instead: `The recording has ${videos.length} pages, from 0.` })
      const url = `${baseUrl}/v2/media/${store.blobs.sign(blobId, expiresAt)}`
      return new ReadyReply(writePlaylist(video, url), 'application/vnd.apple.mpegurl', {
        'cache-control': 'private, no-store',
      })
    },
  })

export const recordingRoutes = [
  list('/v2/interact', true),
  list('/v2/browser', false),
  playlist('/v2/interact'),
  playlist('/v2/browser'),
]
