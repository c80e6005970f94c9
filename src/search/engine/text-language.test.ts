// The language of a text: by its own words, and what is stated only while they do not speak against it.
import { describe, expect, it } from 'vitest'
import { detectTextLanguage } from './text-language.ts'

const ENGLISH =
  'The apparent diffusion of TGF-β and α-actin in the tissue was measured, and the mean of all samples is shown in the table below.'
const GERMAN =
  'Die Fähre fährt am Morgen nach Norden und kehrt erst am Abend zurück, wenn die Flut kommt und der Hafen offen ist.'
const RUSSIAN =
  'Паром уходит утром на север и возвращается только вечером, когда приходит прилив и гавань открыта для всех.'

describe('the language of a text', () => {
  it('is what is stated, when its words agree', () => {
    expect(detectTextLanguage(ENGLISH, 'en')).toBe('en')
    expect(detectTextLanguage(GERMAN, 'de')).toBe('de')
    expect(detectTextLanguage(RUSSIAN, 'ru')).toBe('ru')
  })

  it('is what its words say, when a guess or a template says something else', () => {
    expect(detectTextLanguage(ENGLISH, 'el')).toBe('en')
    expect(detectTextLanguage(ENGLISH, 'hu')).toBe('en')
    expect(detectTextLanguage(GERMAN, 'en')).toBe('de')
    expect(detectTextLanguage(RUSSIAN, 'en')).toBe('ru')
  })

  it('is found when nothing is stated', () => {
    expect(detectTextLanguage(GERMAN, '')).toBe('de')
    expect(detectTextLanguage('渡し船は朝に北へ出て、夕方に潮が満ちると戻ってきます。', '')).toBe('ja')
    expect(detectTextLanguage('渡轮早上向北开，晚上涨潮的时候才回来。', '')).toBe('zh')
    expect(detectTextLanguage('नाव सुबह उत्तर की ओर जाती है और शाम को लौटती है।', '')).toBe('hi')
  })

  it('keeps what shares its letters', () => {
    expect(detectTextLanguage('नाव बिहान उत्तरतिर जान्छ र साँझ फर्कन्छ।', 'ne')).toBe('ne')
    expect(detectTextLanguage('کشتی صبح به شمال می‌رود و عصر برمی‌گردد.', 'fa')).toBe('fa')
    expect(
      detectTextLanguage('Prom płynie rano na północ i wraca dopiero wieczorem, gdy przychodzi przypływ morza.', 'pl'),
    ).toBe('pl')
  })

  it('is left open, or as stated, when there are too few words to tell', () => {
    expect(detectTextLanguage('Nokia 3310', 'fi')).toBe('fi')
    expect(detectTextLanguage('', 'sv')).toBe('sv')
    expect(detectTextLanguage('12 34 56', '')).toBe('')
  })
})
