import { describe, expect, it } from 'vitest'
import { parseCaptionFile } from './parse-caption-file.ts'

describe('captions', () => {
  it('are read from WebVTT with notes, styles, voices and rolling lines', () => {
    const text = `WEBVTT - title

NOTE nothing

STYLE
::cue { color: red }

intro
00:00:01.000 --> 00:00:02.500 align:start
<v.loud Mary Smith>Hello &amp; <i>welcome</i>

00:02.400 --> 00:04.000
Hello &amp; welcome

01:00:00.000 --> 01:00:01.000
The end.
`
    expect(parseCaptionFile(text)).toEqual([
      { start: 1, end: 4, text: 'Hello & welcome', speaker: 'Mary Smith' },
      { start: 3600, end: 3601, text: 'The end.' },
    ])
  })

  it('are read from SubRip, TTML and three kinds of JSON', () => {
    const cue = { start: 1.5, end: 3, text: 'One two' }
    expect(parseCaptionFile('\ufeff1\r\n00:00:01,500 --> 00:00:03,000\r\n<b>One</b>\r\ntwo\r\n')).toEqual([cue])
    expect(
      parseCaptionFile('<?xml version="1.0"?><tt><body><p begin="1.5s" end="00:00:03.000">One<br/>two</p></body></tt>'),
    ).toEqual([cue])
    const podcast = { version: '1.0.0', segments: [{ startTime: 1.5, endTime: 3, body: 'One two', speaker: 'Ann' }] }
    expect(parseCaptionFile(JSON.stringify(podcast))).toEqual([{ ...cue, speaker: 'Ann' }])
    expect(parseCaptionFile('{"segments":[{"start":1.5,"end":3,"text":" One two"}]}')).toEqual([cue])
    const player = { events: [{ tStartMs: 1500, dDurationMs: 1500, segs: [{ utf8: 'One ' }, { utf8: 'two' }] }] }
    expect(parseCaptionFile(JSON.stringify(player))).toEqual([cue])
  })

  it('are not read from what is something else', () => {
    for (const text of ['', 'Just words.', '{"a":1}', '{broken', '<html><p>no</p></html>'])
      expect(parseCaptionFile(text)).toBeUndefined()
  })

  it('are read to the end, and refused when there are too many', () => {
    const cues = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, start) => ({ start, text: `${start}` })))
    expect(parseCaptionFile(cues(66_000))).toHaveLength(66_000)
    expect(() => parseCaptionFile(cues(200_001))).toThrow('more than 200000 lines')
  })
})
