// What pages say while scripts have not filled them yet: “Loading…”, in the languages that we know it in.
import type { Element } from 'domhandler'
import { isElement, isText } from './tree.ts'

const WORDS =
  'loading|please wait|one moment|wird geladen|lädt|chargement|cargando|caricamento|carregando|laden|bezig met laden|laddar|indlæser|ładowanie|načítání|betöltés|yükleniyor|загрузка|завантаження|φόρτωση|読み込み中|加载中|正在加载|載入中|로딩 ?중|불러오는 중'

const BEGINS = new RegExp(`^(?:${WORDS})(?![\\p{L}\\p{N}])`, 'iu')
const IS_ALL = new RegExp(`^(?:${WORDS})(?: [\\p{L}\\p{N}]+){0,3} ?(?:\\.{2,}|…)$`, 'iu')
const MAX_CHARS = 60

/** A text that begins so says that something is still to come. */
export const beginsLoading = (text: string): boolean => BEGINS.test(text)

/** A text that says this and nothing else, with dots behind it: a word alone may be a name. */
export const isLoadingText = (text: string): boolean => {
  if (text.length > MAX_CHARS * 4) return false
  const said = text.trim().replace(/\s+/g, ' ')
  return said.length <= MAX_CHARS && IS_ALL.test(said)
}

const QUOTED = new Set(['code', 'pre', 'kbd', 'samp', 'td', 'a', 'li'])

/** What a script would have replaced; in a listing, a table or a list it is spoken of. */
export function saysLoading({ name, children, parent }: Element): boolean {
  const [only, more] = children
  if (more || !isText(only) || QUOTED.has(name)) return false
  if (parent && isElement(parent) && QUOTED.has(parent.name)) return false
  return isLoadingText(only.data)
}
