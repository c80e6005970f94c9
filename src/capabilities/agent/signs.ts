// What tells which tool serves: the names of buttons that show more, addresses of documents, the words for a search box. Pure.
import { type Goal, queryOf } from './goal.ts'

/** What a control is called that shows more of the same. */
export const MORE =
  /^(?:(?:load|show|view|see|display|fetch)\s+(?:\d+\s+)?(?:more|all)|more\s+(?:results|items|products|entries|posts|articles|jobs)|(?:mehr|weitere)\s+(?:laden|anzeigen|zeigen)|(?:voir|afficher|charger)\s+plus|(?:ver|mostrar|cargar)\s+más|(?:carica|mostra)\s+altr[io])\b/i

const DOCUMENT = /\.(?:pdf|docx?|xlsx?|ods|odt|rtf|pptx?|odp|epub|csv|tsv)(?:$|[?#])/i
export const isDocument = (url: string): boolean => DOCUMENT.test(url)

const PICTURE = /\.(?:png|jpe?g|webp|gif|tiff?|bmp)(?:$|[?#])/i
/** A scan and a picture are read letter by letter: that takes longer than a page. */
export const mayBeScan = (url: string): boolean => isDocument(url) || PICTURE.test(url)

/** What to type into the search box of a site: what the task is about, and nothing of what is wanted of it. */
export const wordsFor = (goal: Goal): string =>
  (goal.subject.find((one) => one.includes(' ')) ?? goal.subject[0] ?? queryOf(goal)).slice(0, 300)
