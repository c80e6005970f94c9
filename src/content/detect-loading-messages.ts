// Detects loading messages (“Loading…”) in many languages.
import type { Element } from 'domhandler'
import { isElement, isText } from './parse-tree.ts'

const WORDS =
  'loading|please wait|one moment|wird geladen|lädt|chargement|cargando|caricamento|carregando|laden|bezig met laden|laddar|indlæser|ładowanie|načítání|betöltés|yükleniyor|загрузка|завантаження|φόρτωση|読み込み中|加载中|正在加载|載入中|로딩 ?중|불러오는 중'

const BEGINS = new RegExp(`^(?:${WORDS})(?![\\p{L}\\p{N}])`, 'iu')
const IS_ALL = new RegExp(`^(?:${WORDS})(?: [\\p{L}\\p{N}]+){0,3} ?(?:\\.{2,}|…)$`, 'iu')
const MAX_CHARS = 60

export const startsWithLoadingMessage = (text: string): boolean => BEGINS.test(text)

/** The whole text is a loading message with trailing dots; the word alone may be a name. */
const isLoadingText = (text: string): boolean => {
  if (text.length > MAX_CHARS * 4 || !/[.…]\s*$/.test(text)) return false
  const said = text.trim().replace(/\s+/g, ' ')
  return said.length <= MAX_CHARS && IS_ALL.test(said)
}

const QUOTED = new Set(['code', 'pre', 'kbd', 'samp', 'td', 'a', 'li'])

/** A loading placeholder; in code, tables and lists it is quoted text. */
export function isLoadingMessage({ name, children, parent }: Element): boolean {
  const [only, more] = children
  if (more || !isText(only) || QUOTED.has(name)) return false
  if (parent && isElement(parent) && QUOTED.has(parent.name)) return false
  return isLoadingText(only.data)
}
