// Media of the current page for the formats `audio` and `video`.

import { Problem } from '../../base/problem.ts'
import type { Capture, Visit } from '../../base/visit-and-capture-types.ts'
import type { FetchEngine } from '../../fetch/fetch-engine.ts'
import { headersAllowedAt } from '../../fetch/follow-redirects.ts'
import { makeBrowserHeaders } from '../../fetch/http-engine.ts'
import {
  type AudioOrVideo,
  classifyMediaUrl,
  type FoundMedia,
  type MediaCandidate,
} from '../../understanding/media/find-media.ts'
import type { ScrapePlan } from '../scrape-plan.ts'
import type { ContentWorkerPool } from '../workshop/content-worker-pool.ts'
import type { MediaService, PageMediaRequest } from './media-service.ts'
import type { PageMediaFetcher } from './media-types.ts'
import { readTranscript } from './read-transcript.ts'

interface PageMediaParts {
  media: MediaService
  workshop: ContentWorkerPool
  engines: readonly FetchEngine[]
}

export function makePageMediaFetcher(
  { media, workshop, engines }: PageMediaParts,
  { plan, capture, teamId, baseUrl }: { plan: ScrapePlan; capture: Capture; teamId: string; baseUrl: string },
): PageMediaFetcher {
  const { visit } = plan
  const recipients = { urls: [visit.url], hosts: visit.credentialHosts }
  const candidatesOf = async (
    page: { url: string; body: Uint8Array; contentType: string | undefined },
    signal: AbortSignal,
  ): Promise<FoundMedia> => {
    const { reads } = await workshop.digest(
      { ...page, bytes: page.body, choices: plan.choices, needs: [], reads: [{ type: 'video' }] },
      teamId,
      signal,
    )
    return (reads.video as FoundMedia | undefined) ?? { candidates: [] }
  }
  const browser = engines.find((engine) => engine.gives.includes('rendered') && !engine.gives.includes('cached'))
  const renderPage = async (signal: AbortSignal): Promise<FoundMedia> => {
    const seen = await browser!.fetch({ ...visit, media: true }, signal)
    if (!seen) return { candidates: [] }
    const page = { url: seen.url, body: seen.body, contentType: seen.headers['content-type'] }
    return withRequests(await candidatesOf(page, signal), seen.requests)
  }
  const ownHeaders = (url: string) =>
    mediaHeaders({ ...visit, headers: headersAllowedAt(url, recipients, visit.headers) })
  const mayRender = browser && plan.mayRender && capture.engine !== 'browser' && !isMediaFile(capture)
  const requestFor = (want: AudioOrVideo, found: FoundMedia, signal: AbortSignal): PageMediaRequest => ({
    want,
    pageUrl: capture.url,
    found: withRequests(found, capture.requests),
    headersFor: ownHeaders,
    credentialHosts: visit.credentialHosts,
    findMedia: async (page) => (await candidatesOf(page, signal)).candidates,
    render: mayRender ? () => renderPage(signal) : undefined,
    teamId,
    baseUrl,
  })
  const checkMayFetch = () => {
    if (visit.cache.only) throw new Error('it would be fetched from the site, and only the cache may be used')
  }
  return {
    async transcript(found, language, signal) {
      checkMayFetch()
      try {
        const textAt = (url: string) => media.textAt(url, ownHeaders(url), signal)
        return await readTranscript({ found, language, textAt })
      } catch (error) {
        if (!(error instanceof Problem && error.kind === 'no_transcript')) throw error
        if (media.transcribeAudio)
          return await media
            .transcribeAudio(requestFor('audio', found.media, signal), language, signal)
            .catch((unheard) => {
              throw unheard instanceof Problem && unheard.kind === 'no_audio' ? error : unheard
            })
        if (found.media.candidates.length === 0) throw error
        throw new Problem('no_transcript', {
          instead: `${error.message}; ORB_TRANSCRIPTION_URL can name an endpoint that transcribes audio`,
        })
      }
    },
    async take(want, found, signal) {
      checkMayFetch()
      if (!plan.keep) throw new Problem('keeps_nothing')
      return media.take(requestFor(want, found, signal), signal)
    },
  }
}

function mediaHeaders(visit: Visit): Record<string, string> {
  const headers = makeBrowserHeaders(visit)
  const { 'upgrade-insecure-requests': _upgrade, 'sec-fetch-user': _user, priority: _priority, ...rest } = headers
  return {
    ...rest,
    accept: '*/*',
    'sec-fetch-dest': 'video',
    'sec-fetch-mode': 'no-cors',
    'sec-fetch-site': 'same-origin',
  }
}

/** Requests seen by the browser come first: the page plays those. */
function withRequests({ candidates, poster }: FoundMedia, requests: readonly string[] = []): FoundMedia {
  const asked = requests.flatMap((url): MediaCandidate[] => {
    const form = classifyMediaUrl(url)
    return form ? [{ url, ...form, from: 'request' }] : []
  })
  // A manifest is more complete than its fetched parts.
  const manifests = asked.filter(({ form }) => form !== 'file')
  const files = manifests.length > 0 ? [] : asked
  return { candidates: [...manifests, ...candidates, ...files], poster }
}

export function isMediaFile({ url, headers }: Pick<Capture, 'url' | 'headers'>): boolean {
  const type = headers['content-type'] ?? ''
  return !/html|^application\/(?:rss|atom)/i.test(type) && directForm(url, type) !== undefined
}

const directForm = (url: string, type: string) =>
  /^\s*(?:audio|video)\/|mpegurl|dash\+xml/i.test(type) || /octet-stream|^text\/plain|^$|xml/i.test(type)
    ? classifyMediaUrl(url, type)
    : undefined

export function mediaOfFileUrl({ url, headers }: Pick<Capture, 'url' | 'headers'>): FoundMedia {
  const form = directForm(url, headers['content-type'] ?? '')
  return { candidates: form ? [{ url, ...form, from: 'address' }] : [] }
}
