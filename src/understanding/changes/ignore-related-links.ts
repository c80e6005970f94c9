// Detects sections that link to other pages (most read, related, recommended) by their headings in common languages.
// Their items change although the page did not.
import { isCountLabelPair } from './remove-counters.ts'

const NAMES = [
  'you (?:may|might|could|will)(?: also)? (?:like|love|enjoy|need|be interested).{0,20}|(?:customers|people|others|readers|shoppers|visitors)\\b.{0,30}\\balso\\b.{0,30}',
  'recently viewed.{0,20}|frequently bought together|who to follow|up next|watch next|read (?:also|next|more)|(?:recommended|suggested|suggestions)(?: for you| reading| posts| articles| videos| products)?',
  '(?:most|mostly) (?:read|popular|viewed|shared|discussed|commented|watched)(?: .{0,20})?|popular (?:now|posts|stories|articles|today|this week)|trending(?: .{0,20})?|hot (?:.{0,12} )?(?:questions|topics|posts)',
  'related(?: (?:articles?|stories|posts|products?|items|questions|content|videos?|topics|links|news|reading|jobs))?|similar (?:jobs|products?|items|listings|homes|properties|posts|articles|events|places)',
  'more (?:on this (?:story|topic)|from\\b.{0,40}|stories|news|articles|videos|products|like this|for you|to explore)|other (?:news|stories|articles|products|events)|from around the web|sponsored(?: .{0,20})?',
  'das könnte (?:sie|dich|ihnen|dir) auch .{0,20}|(?:weitere|andere|ähnliche|mehr) (?:meldungen|artikel|nachrichten|beiträge|themen|produkte|angebote|stellen|jobs|veranstaltungen|zum thema|von\\b.{0,30}|aus\\b.{0,30})|meistgelesen.{0,20}|(?:andere )?kunden (?:kauften|haben) .{0,30}|zuletzt angesehen|empfehlungen|empfohlen.{0,20}|passend dazu|lesen sie auch',
  'à lire aussi|lire aussi|à découvrir(?: aussi)?|les plus (?:lus|vus|partagés)|vous aimerez(?: aussi)?.{0,20}|sur le même (?:sujet|thème)|(?:articles?|produits?|contenus?|offres?) (?:similaires?|liés?|associés?|recommandés?)|vus récemment',
  '(?:también )?te puede interesar|lo más (?:leído|visto)|(?:artículos|productos|noticias) (?:relacionad[oa]s|similares)|más noticias|leia também|veja também|mais lid[ao]s|(?:artigos|produtos|notícias) (?:relacionad[oa]s|semelhantes)',
  'leggi anche|(?:ti )?potrebbe(?:ro)? (?:anche )?(?:interessarti|piacerti)|i più letti|(?:articoli|prodotti) (?:correlati|simili)|lees ook|meest gelezen|gerelateerd.{0,20}|aanbevolen.{0,20}|anderen bekeken ook',
  'читайте также|популярное|похожие .{0,20}|関連(?:記事|商品)?|おすすめ.{0,10}|人気記事|相关(?:文章|阅读|推荐)|猜你喜欢|관련 ?(?:기사|상품)|많이 본 뉴스',
].join('|')
const ELSEWHERE = new RegExp(`^(?:${NAMES})$`, 'iu')
const MAX_HEADING = 60
/** A paragraph of this length is the page's own text. */
const MIN_PROSE_CHARS = 110

interface Quietable {
  text: string
  key: string
}

/** Clears the keys of lines in such sections, and of counters below their label. */
export function ignoreRelatedLinkSections(lines: readonly Quietable[]): void {
  let level = 0
  lines.forEach((line, at) => {
    const above = lines[at - 1]
    if (above && line.key !== '' && isCountLabelPair(above.text, line.text)) line.key = ''
    const marks = /^\s*(#{1,6})\s/.exec(line.text)?.[1]?.length ?? 0
    const name = line.text.replace(/^[\s#*_>]+|[\s*_:]+$/g, '')
    const isHead = marks > 0 || /^\s*\*\*[^*]+\*\*:?\s*$/.test(line.text)
    if (isHead && name.length <= MAX_HEADING && ELSEWHERE.test(name)) {
      level = marks || 7
      return
    }
    if (level === 0) return
    if ((marks > 0 && marks <= level) || isProse(line.text)) level = 0
    else line.key = ''
  })
}

const isProse = (text: string): boolean =>
  text.length >= MIN_PROSE_CHARS &&
  !/^\s*(?:[-*+|]|\d+[.)])\s?/.test(text) &&
  !text.includes('](') &&
  /[.!?…]["”»)]*$/.test(text)
