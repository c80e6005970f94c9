// Name and place lists: from `compromise`, from Intl (countries) and our own. Loaded on first use, since they take
// several MB and tens of milliseconds.
import { CITIES } from './cities.ts'
import { ARABIC_NAMES, GIVEN_NAMES, JAPANESE_SURNAMES, SLAVIC_NAMES } from './given-names.ts'
import { WORLD_CITIES, WORLD_FAMILY, WORLD_GIVEN } from './world-names.ts'

export interface Gazetteer {
  /** Lower case. `ambiguous`: also words or places. */
  given: ReadonlySet<string>
  ambiguous: ReadonlySet<string>
  surnames: ReadonlySet<string>
  /** Stems of inflected names by their first two letters. */
  inflected: ReadonlyMap<string, readonly string[]>
  /** English words that are neither names nor places. */
  words: ReadonlySet<string>
  /** Lower case, one to four words. */
  places: ReadonlySet<string>
  /** First words of place names, as a quick filter. */
  beginnings: ReadonlySet<string>
  /** Places in scripts without capitals. */
  unspaced: RegExp
  arabic: ReadonlySet<string>
  japanese: RegExp
}

const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'tr', 'sv', 'ja', 'zh', 'ko', 'ar', 'hi']
/** Names that are more often words or places; they do not count alone. */
const AMBIGUOUS =
  'hans nel del dal al will may mark grace faith hope joy rose april june august summer autumn dawn amber crystal ruby pearl violet ivy olive sandy christian dean grant chase drew frank jack bill sue art pat rob ray page miles max victor melody harmony destiny heaven angel ford lincoln madison jordan austin dallas houston paris sydney florence georgia virginia carolina charlotte victoria phoenix orlando chelsea brooklyn london vienna adelaide santiago valencia israel kenya india china asia america alexandria sofia major king prince duke earl judge bishop pope don van von al ben sun moon sky star santa san de la le das an in so do can deniz barış umut onur sevgi gül nur bahar güneş yağmur mai jan till kai star mercedes dolores consuelo pilar rosario soledad esperanza gloria clara rosa blanca alba luz paz cruz santos reyes guadalupe lourdes montserrat perla marina sierra savannah dakota cheyenne jasmine daisy lily iris holly heather hazel ginger poppy rosemary basil sage robin jay martin dominic noel merry penny bob rich wade cliff glen heath forest lane reed rusty sunny stormy rocky buddy chip chance hunter mason carter cooper taylor tyler parker porter sawyer skyler archer baker gage colt flint bo ren wei tao xia ping lei jing yong gang fang hana sora mei emi can derya tuna ada eda ece aurora luna stella nova era ella ester vera viola celeste serena vita gaia bianca luce marino franco pier mina cam tam kim lee ali rana raj noor nour april carol carole cher genesis trinity serenity eternity precious justice liberty royal noble true saint sterling tally lance pierce rod stone ernest earnest frances marlin rocket ace king duke magnus maria'.split(
    ' ',
  )

export async function openGazetteer(): Promise<Gazetteer> {
  const { default: nlp } = await import('compromise')
  const lexicon = (nlp.model() as { one: { lexicon: Record<string, string | string[]> } }).one.lexicon
  const given = new Set(`${GIVEN_NAMES} ${WORLD_GIVEN}`.toLowerCase().split(' '))
  const surnames = new Set(WORLD_FAMILY.toLowerCase().split(' '))
  const words = new Set<string>()
  const places = new Set(
    `${CITIES}, ${WORLD_CITIES}`
      .toLowerCase()
      .split(/[,\n] */)
      .filter(Boolean),
  )
  for (const [word, tag] of Object.entries(lexicon)) {
    const tags = Array.isArray(tag) ? tag : [tag]
    if (tags.some((one) => one === 'MaleName' || one === 'FemaleName' || one === 'FirstName')) given.add(word)
    else if (tags.includes('LastName')) surnames.add(word)
    else if (tags.some((one) => PLACE_TAGS.has(one)) && word.length > 4) places.add(word)
    else if (!tags.some((one) => one === 'Person' || one === 'ProperNoun' || one === 'Place') && !word.includes(' '))
      words.add(word)
  }
  const unspaced = new Set<string>(UNSPACED_CITIES.split(' '))
  for (const name of countryNames()) {
    if (/[\u3040-\u9fff]/.test(name)) unspaced.add(name)
    // Two-syllable Korean names are too ambiguous; the important ones are listed.
    else if (/[\uac00-\ud7af]/.test(name)) name.length > 2 && unspaced.add(name)
    else places.add(name.toLowerCase())
  }
  for (const word of NOT_PLACES) places.delete(word)
  return {
    given,
    surnames,
    words,
    places,
    beginnings: new Set([...places].map((name) => name.split(/[\s-]/, 1)[0]!)),
    ambiguous: new Set(AMBIGUOUS),
    inflected: byBeginning(
      `${SLAVIC_NAMES} ${GIVEN_NAMES.slice(GIVEN_NAMES.indexOf('Adam Agata'), GIVEN_NAMES.indexOf('Jiří'))}`,
    ),
    unspaced: new RegExp(
      [...unspaced]
        .filter((name) => name.length > 1)
        .sort((a, b) => b.length - a.length)
        .map(escaped)
        .join('|'),
      'gu',
    ),
    arabic: new Set(ARABIC_NAMES.split(' ')),
    japanese: new RegExp(
      JAPANESE_SURNAMES.split(' ')
        .sort((a, b) => b.length - a.length)
        .join('|'),
      'gu',
    ),
  }
}

const PLACE_TAGS = new Set(['City', 'Country', 'Region'])
const NOT_PLACES =
  'reading mobile bath nice split orange of man world europe jersey union victoria essen celle halle natal'.split(' ')
const UNSPACED_CITIES =
  '東京 大阪 京都 横浜 名古屋 札幌 神戸 福岡 仙台 広島 川崎市 埼玉 千葉県 新宿 渋谷 北海道 沖縄 奈良 金沢 長崎 熊本 鹿児島 静岡 岡山 青森 秋田 盛岡 新潟 長野 岐阜 浜松 北京 上海 广州 廣州 深圳 成都 杭州 南京 武汉 西安 重庆 天津 苏州 长沙 青岛 大连 厦门 宁波 郑州 沈阳 哈尔滨 昆明 济南 福州 合肥 香港 澳门 台北 高雄 台中 新北 浙江 江苏 广东 四川 湖南 湖北 河南 河北 山东 山西 陕西 福建 安徽 江西 云南 贵州 海南 辽宁 吉林 黑龙江 内蒙古 新疆 西藏 서울 부산 인천 대구 대전 광주 울산 수원 성남 고양 용인 창원 청주 전주 천안 제주 강남구 경기도 강원도 충청 전라 경상 한국 중국 일본 독일 영국 미국 인도 태국 대만 베트남'

function* countryNames(): Generator<string> {
  for (const locale of LOCALES) {
    const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })
    for (let first = 65; first <= 90; first++)
      for (let second = 65; second <= 90; second++) {
        const code = String.fromCharCode(first, second)
        const name = code === 'ZZ' || code.startsWith('X') ? undefined : names.of(code)
        if (name && name.length > 3) yield name.replace(/ \(.*$/, '')
        else if (name && /[\u3040-\u9fff\uac00-\ud7af]/.test(name)) yield name
      }
  }
}

/** Groups stems without the inflected vowel by their first letters. */
function byBeginning(names: string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names.toLowerCase().split(' ')) {
    const stem = name.replace(/[аяйьеоaieoy]$/u, '').replace(/(?<=[^аеиоуaeiou])е(?=[лцк]$)/u, '')
    if (stem.length < 3) continue
    const key = stem.slice(0, 2)
    groups.set(key, [...(groups.get(key) ?? []), stem])
  }
  return groups
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
