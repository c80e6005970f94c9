// The language of a text: by its own words, and what is stated only while they do not speak against it.
import { describe, expect, it } from 'vitest'
import { textLanguage } from './text-language.ts'

const ENGLISH =
  'The apparent diffusion of TGF-β and α-actin in the tissue was measured, and the mean of all samples is shown in the table below.'
const GERMAN =
  'Die Fähre fährt am Morgen nach Norden und kehrt erst am Abend zurück, wenn die Flut kommt und der Hafen offen ist.'
const RUSSIAN =
  'Паром уходит утром на север и возвращается только вечером, когда приходит прилив и гавань открыта для всех.'

describe('the language of a text', () => {
  it('is what is stated, when its words agree', () => {
    expect(textLanguage(ENGLISH, 'en')).toBe('en')
    expect(textLanguage(GERMAN, 'de')).toBe('de')
    expect(textLanguage(RUSSIAN, 'ru')).toBe('ru')
  })

  it('is what its words say, when a guess or a template says something else', () => {
    expect(textLanguage(ENGLISH, 'el')).toBe('en')
    expect(textLanguage(ENGLISH, 'hu')).toBe('en')
    expect(textLanguage(GERMAN, 'en')).toBe('de')
    expect(textLanguage(RUSSIAN, 'en')).toBe('ru')
  })

  it('is found when nothing is stated', () => {
    expect(textLanguage(GERMAN, '')).toBe('de')
    expect(textLanguage('渡し船は朝に北へ出て、夕方に潮が満ちると戻ってきます。', '')).toBe('ja')
    expect(textLanguage('渡轮早上向北开，晚上涨潮的时候才回来。', '')).toBe('zh')
    expect(textLanguage('नाव सुबह उत्तर की ओर जाती है और शाम को लौटती है।', '')).toBe('hi')
  })

  it('keeps what shares its letters', () => {
    expect(textLanguage('नाव बिहान उत्तरतिर जान्छ र साँझ फर्कन्छ।', 'ne')).toBe('ne')
    expect(textLanguage('کشتی صبح به شمال می‌رود و عصر برمی‌گردد.', 'fa')).toBe('fa')
    expect(
      textLanguage('Prom płynie rano na północ i wraca dopiero wieczorem, gdy przychodzi przypływ morza.', 'pl'),
    ).toBe('pl')
  })

  it('is left open, or as stated, when there are too few words to tell', () => {
    expect(textLanguage('Nokia 3310', 'fi')).toBe('fi')
    expect(textLanguage('', 'sv')).toBe('sv')
    expect(textLanguage('12 34 56', '')).toBe('')
  })
})
