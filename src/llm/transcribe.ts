// Transcribes audio files with an endpoint compatible with OpenAI's `/audio/transcriptions`, which the operator names.

import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { abortAfter } from '../base/abort-after.ts'
import { parseJson } from '../base/attempt.ts'
import { Problem } from '../base/problem.ts'
import { makeModelFetch } from './model-fetch.ts'

type Transcript = { language: string | null; text: string; cues: { start: number; end: number; text: string }[] }

export type Transcribe = (
  file: { path: string; contentType: string; language: string | undefined },
  signal: AbortSignal,
) => Promise<Transcript>

interface TranscriptionSettings {
  transcriptionUrl?: string | undefined
  transcriptionModel?: string | undefined
  transcriptionKey?: string | undefined
  /** Seconds that a request to a model may take. */
  llmTimeout: number
  llmProxy?: string | undefined
  llmCertificates?: string | undefined
}

const MAX_BYTES = 25 * 1024 * 1024
const MAX_ANSWER = 20 * 1024 * 1024

const answerShape = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).nullish(),
})

export function openTranscriber(settings: TranscriptionSettings): Transcribe | undefined {
  const { transcriptionUrl: url, transcriptionModel: model, transcriptionKey: key, llmTimeout } = settings
  if (url === undefined || model === undefined) return undefined
  const { llmProxy: proxy, llmCertificates: certificates } = settings
  const send = makeModelFetch({ timeoutMs: llmTimeout * 1000, proxy, certificates })
  return async ({ path, contentType, language }, signal) => {
    const { size } = await stat(path)
    if (size > MAX_BYTES)
      throw makeNoTranscriptProblem(`its audio has ${Math.ceil(size / 1048576)} MB, and an endpoint accepts 25`)
    // The request is sent by this package, which does not take Node's own class.
    const { FormData } = await import('undici')
    const form = new FormData()
    // Endpoints judge the kind by the name.
    form.set('file', await openAsBlob(path, { type: contentType }), `sound.${EXTENSIONS[contentType] ?? 'mp3'}`)
    form.set('model', model)
    form.set('response_format', 'verbose_json')
    if (language !== undefined) form.set('language', language.split('-', 1)[0]!)
    const response = await send(`${url.replace(/\/$/, '')}/audio/transcriptions`, {
      method: 'POST',
      body: form as never,
      redirect: 'error',
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.any([signal, abortAfter(llmTimeout * 1000)]),
    }).catch((error: Error) => {
      signal.throwIfAborted()
      throw makeNoTranscriptProblem(`the transcription endpoint did not respond (${error.message})`)
    })
    if (!response.ok)
      throw makeNoTranscriptProblem(
        `the transcription endpoint returned status ${response.status}: ${await start(response)}`,
      )
    const text = await response.text()
    const answer = text.length > MAX_ANSWER ? undefined : answerShape.safeParse(parseJson(text)).data
    if (!answer) throw makeNoTranscriptProblem('the transcription endpoint answered in another form')
    const cues = (answer.segments ?? []).map(({ start, end, text }) => ({ start, end, text: text.trim() }))
    return { language: answer.language ?? language ?? null, text: answer.text.trim(), cues }
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
}

const makeNoTranscriptProblem = (because: string): Problem => new Problem('no_transcript', { because })

const start = async (response: Response): Promise<string> => (await response.text()).slice(0, 200)
