import { describe, expect, it } from 'vitest'
import { parsePage } from './parsed-page.ts'

const languageOf = (html: string) =>
  parsePage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url: 'https://example.com/' },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  ).metadata.language

describe('the language of a page', () => {
  it.each([
    ['de', 'Die Flut kommt heute elf Minuten früher als gestern, und niemand im Hafen weiß, warum das so ist.'],
    ['en', 'The tide comes eleven minutes earlier than yesterday, and nobody in the harbour knows why that is so.'],
    ['fr', 'La marée arrive onze minutes plus tôt que la veille, et personne dans le port ne sait pourquoi.'],
    ['es', 'La marea llega once minutos antes que ayer, y nadie en el puerto sabe por qué ocurre todo esto.'],
    ['ru', 'Прилив приходит на одиннадцать минут раньше, чем вчера, и никто в гавани не знает почему.'],
    ['ja', '潮は昨日より十一分早く来ますが、港の人は誰もその理由を知りません。毎日のことですから、とても不思議です。'],
    ['pl', 'Przypływ przychodzi jedenaście minut wcześniej niż wczoraj i nikt w porcie nie wie dlaczego.'],
  ])('is told from its text when it is not stated: %s', (language, text) => {
    expect(languageOf(`<nav><a href="/">Some menu words in English for everyone</a></nav><p>${text}</p>`)).toBe(
      language,
    )
  })

  it('is English where its small words are, whatever names stand among them', () => {
    const text =
      'Blade and Sorcery by WarpFrog is the best of the VR fighting games, and you can buy it for Oculus, Vive and Index. Das Keyboard, Mein Kampfsport and Uber are names that you know from the news.'
    expect(languageOf(`<p>${text}</p>`)).toBe('en')
  })

  it('is what the page states, whatever its text looks like', () => {
    expect(languageOf('<html lang="nl"><p>The tide comes eleven minutes earlier than it did yesterday.</p>')).toBe('nl')
  })

  it('is left open when there is too little to tell', () => {
    expect(languageOf('<p>OK 42</p>')).toBeUndefined()
  })
})
