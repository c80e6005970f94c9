import { describe, expect, it } from 'vitest'
import { declaredGroupsAndActivities } from '../index.ts'
import { readRequest, splitRequest } from './read-request.ts'

const { requestForms } = declaredGroupsAndActivities()
const read = (text: string) => readRequest(text, requestForms)
const firstOf = (text: string) => read(text).offers[0]?.name

describe('typed requests', () => {
  it.each([
    ['screenshot of example.com', 'screenshot'],
    ['Please take a full page screenshot of https://example.com/a', 'screenshot'],
    ['screnshot example.com', 'screenshot'],
    ['make a feed of example.com/news', 'feed'],
    ['tell me when example.com/prices changes', 'monitor'],
    ['is there a feed of example.com', 'feed'],
    ['product details of example.com/item', 'product'],
    ['welche Unterseiten gibt es auf example.com', 'map'],
    ['abre example.com y pulsa «Reservar»', 'session'],
    ['summarize example.com', 'summary'],
    ['sumarize example.com', 'summary'],
    ['crawl example.com', 'crawl'],
    ['download the PDFs of example.com', 'download'],
    ['what are the opening hours of example.com', 'ask'],
    ['get the title and price from example.com/item', 'json'],
    ['all links on example.com', 'links'],
    ['log in to example.com', 'session'],
    ['Zusammenfassung von example.com', 'summary'],
    ['surveille example.com', 'monitor'],
    ['https://example.com/a?b=c', 'scrape'],
    ['http://127.0.0.1:3003/zoo/shop', 'scrape'],
    ['münchen.example/straße', 'scrape'],
    ['https://a.test/1\nhttps://a.test/2', 'batch'],
    ['sodium batteries', 'search'],
    ['can you make a pdf of example.com/manual', 'pdf'],
    ['save example.com/terms as pdf', 'pdf'],
    ['download the pdf from example.com/terms', 'download'],
    ['download the whole site example.com', 'crawl'],
    ['download the video from example.com/talk', 'media'],
    ['get the audio of example.com/podcast as mp3', 'media'],
    ['save the whole video from this url example.com/talk', 'media'],
    ['download the song example.com/song', 'media'],
    ['get the video transcript of example.com/talk', 'transcript'],
    ['save the transcript of the podcast from example.com/talk', 'transcript'],
    ['save a screenshot of the video player on example.com', 'screenshot'],
    ['save the links of the video on example.com', 'links'],
    ['download the film list from example.com as csv', 'download'],
    ['what fonts does example.com use', 'branding'],
    ['how do I download the app from example.com', 'ask'],
    ['the titles of the books on example.com/list', 'json'],
    ['book a table on example.com', 'session'],
    ['scrape 100 pages from example.com', 'crawl'],
    ['grab the images from example.com', 'images'],
    ['check example.com/status every 30 minutes', 'monitor'],
    ['scrape a.test/1; a.test/2', 'batch'],
    ['compare a.test/1 and b.test/2', 'agent'],
    ['find emails of 20 dentists in Hamburg', 'agent'],
    ['Which of these three companies has the cheapest plan?', 'agent'],
  ])('%s → %s', (text, name) => {
    expect(firstOf(text)).toBe(name)
  })

  it('offers a second reading and no offer twice', () => {
    const names = read('watch example.com').offers.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(1)
    expect(new Set(names).size).toBe(names.length)
  })

  it('takes the addresses out of the words', () => {
    expect(splitRequest('Read "https://a.test/x?y=1", then (b.test/2).')).toMatchObject({
      urls: ['https://a.test/x?y=1', 'https://b.test/2'],
      words: 'Read then',
    })
    expect(
      splitRequest('a.test/1,a.test/2 and [it](https://a.test/x,y) or https://a.test/f_(g), a.test/h’s').urls,
    ).toEqual([
      'https://a.test/1',
      'https://a.test/2',
      'https://a.test/x,y',
      'https://a.test/f_(g)',
      'https://a.test/h',
    ])
    expect(splitRequest('see report.pdf, e.g. for me@mail.com').urls).toEqual([])
  })

  it.each([
    ['crawl a.test', { url: 'https://a.test', limit: 20 }],
    ['crawl the first 10 pages of a.test', { url: 'https://a.test', limit: 10 }],
    ['mobile screenshot of a.test', { url: 'https://a.test', mobile: true }],
    ['watch a.test every day at 9am, and tell me', { schedule: { text: 'every day at 9am' } }],
    ['screenshots of a.test and b.test', { urls: ['https://a.test', 'https://b.test'] }],
    ['save the audio of a.test', { url: 'https://a.test', formats: ['audio'] }],
    ['save the audio of the video on a.test', { formats: ['audio'] }],
    ['save the video of a.test as mp3', { formats: ['audio'] }],
    ['download the video with sound from a.test', { formats: ['video'] }],
    ['download the video of the soundproof room on a.test', { formats: ['video'] }],
    ['enregistre la video de Paul avec son chien a.test', { formats: ['video'] }],
    ['search the web for orb weavers', { query: 'orb weavers' }],
    ['search engines compared', { query: 'search engines compared' }],
    ['search for top 5 "zero copy" parsers', { limit: 5 }],
  ])('%s → options', (text, body) => {
    const request = read(text)
    expect(request.offers[0]?.body(request)).toMatchObject(body)
  })

  it('reads a long request in linear time', () => {
    const cpuOf = (times: number): number => {
      const text = `${'watch example '.repeat(times)} example.com`
      const before = process.cpuUsage()
      for (let n = 0; n < 5; n += 1) read(text)
      return process.cpuUsage(before).user
    }
    cpuOf(100)
    // Quadratic work would take sixteen times as long.
    expect(cpuOf(1400) / cpuOf(350)).toBeLessThan(12)
  })

  it('has no two forms with one name', () => {
    const names = requestForms.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
