// Removes residual boilerplate from markdown by rules: prompts to share, subscribe or accept, lists of external links,
// repeated lines, empty headings.
import { headingTextOf, type MarkdownBlock, splitIntoBlocks } from './passages/split-into-markdown-blocks.ts'
import { stripMarkdown } from './passages/strip-markdown.ts'

const PROMPT =
  /^(?:share(?: (?:this|on|via|article|post|page)\b.*)?|tweet(?: this)?|pin it|e-?mail(?: this)?|print(?: this)?(?: page)?|copy link|save(?: for later)?|bookmark|like|follow(?: us| me)?(?: on .*)?|subscribe(?: (?:now|to|for|today)\b.*)?|sign ?up(?: (?:now|for|to|today)\b.*)?|sign in.*|log ?in.*|register(?: now)?|join (?:now|us|our newsletter|the conversation).*|get (?:our|the|your) (?:free )?(?:newsletter|updates).*|download (?:our|the) app.*|accept (?:all )?cookies?.*|we use cookies.*|this (?:site|website) uses cookies.*|manage (?:cookies|preferences|consent).*|cookie (?:settings|policy|preferences).*|by (?:continuing|using|clicking).{0,80}(?:cookies|agree|terms).*|read more|read next.*|continue reading.*|show more|load more.*|see (?:more|all).*|view (?:all|more|comments).*|learn more|click here.*|back to (?:top|home).*|skip to (?:main )?(?:content|navigation).*|next|previous|prev|← .*|.* →|advertisement|sponsored(?: content)?|ad|(?:leave|post|add) a (?:comment|reply).*|reply|\d+ comments?|no comments(?: yet)?|comments?(?: are closed.*)?|all rights reserved.*|©.*|copyright.*|rate this.*|was this (?:page |article |helpful).*|tags?:.*|filed under:.*|related:.*|powered by .*|scroll (?:to|down).*|teilen|jetzt teilen|drucken|merken|abonnieren.*|newsletter.*|jetzt (?:anmelden|registrieren|abonnieren).*|anmelden|einloggen|mehr (?:lesen|erfahren|anzeigen)|weiterlesen|zum seitenanfang|nach oben|anzeige|werbung|wir verwenden cookies.*|diese (?:web)?seite (?:nutzt|verwendet) cookies.*|alle (?:cookies )?akzeptieren|kommentare?|kommentar (?:schreiben|verfassen).*|partager(?: .*)?|imprimer|s'abonner.*|abonnez-vous.*|inscrivez-vous.*|se connecter|lire (?:la suite|aussi).*|en savoir plus|voir plus|publicité|nous utilisons des cookies.*|tout accepter|compartir(?: .*)?|imprimir|suscr[ií]b(?:ete|ase|irse).*|iniciar sesión|reg[ií]str(?:ate|ese).*|leer más|ver más|publicidad|utilizamos cookies.*|aceptar (?:todas|cookies).*|compartilh(?:ar|e).*|inscreva-se.*|assine.*|entrar|leia (?:mais|também).*|saiba mais|publicidade|usamos cookies.*|condividi.*|stampa|iscriviti.*|accedi|leggi (?:tutto|anche|di più).*|scopri di più|pubblicità|utilizziamo i cookie.*|поделиться.*|подпи(?:шитесь|саться).*|войти|читать (?:далее|также).*|реклама|мы используем cookie.*|シェア(?:する)?|ツイート|続きを読む|広告|登録|ログイン|分享(?:到.*)?|订阅.*|登录|注册|阅读更多|广告|공유(?:하기)?|구독.*|로그인|더보기|광고)[.!:…»›>]*$/i
const ELSEWHERE =
  /^(?:related(?: (?:articles?|posts?|stories|content|links|reading|topics|news|products))?|you (?:may|might)(?: also)? (?:like|enjoy|be interested in).*|more (?:from|in|on|stories|like this|articles|news|reading).*|recommended(?: .*)?|read (?:next|more|also)|most (?:read|popular|viewed|shared)|popular (?:posts|articles|stories)|trending(?: .*)?|latest (?:news|posts|articles|stories)|recent (?:posts|articles|comments)|also on.*|from (?:our|the) (?:partners|network|web)|sponsored.*|share(?: this.*)?|follow us.*|newsletter.*|subscribe.*|stay (?:connected|informed|up to date).*|sign up.*|(?:leave|post) a (?:comment|reply)|comments?|categories|archives?|tags|navigation|menu|quick links|site map|social media|das könnte (?:sie|dich|ihnen) auch.*|mehr (?:zum thema|aus|von|artikel).*|verwandte (?:artikel|beiträge|themen)|weitere (?:artikel|beiträge|themen|meldungen).*|ähnliche artikel|meistgelesen.*|beliebte beiträge|empfohlen.*|lesen sie auch.*|à lire (?:aussi|également).*|articles (?:similaires|liés|connexes|récents)|sur le même (?:sujet|thème)|vous aimerez aussi.*|les plus lus|artículos relacionados|te puede interesar.*|también te puede.*|lo más (?:leído|visto)|más (?:noticias|artículos).*|artigos relacionados|leia também|veja (?:também|mais).*|mais lidas|articoli correlati|leggi anche|potrebbe (?:interessarti|piacerti).*|i più letti|читайте также|похожие (?:статьи|материалы)|по теме|関連(?:記事|リンク|ニュース)|おすすめ(?:記事)?|人気記事|相关(?:文章|阅读|推荐|新闻)|推荐阅读|热门文章|관련 (?:기사|글)|인기 (?:기사|글))[:：]?$/i
const MAX_PROMPT = 160

export function removeMarkdownBoilerplate(markdown: string): string {
  const blocks = splitIntoBlocks(markdown)
  const drop = new Set<number>()
  const source = ({ start, end }: MarkdownBlock) => markdown.slice(start, end)
  blocks.forEach((block, at) => {
    if (block.kind === 'heading' && ELSEWHERE.test(headingTextOf(markdown, block)))
      dropSection(blocks, at, markdown, drop)
    else if (block.kind === 'text' && isPrompt(source(block))) drop.add(at)
    else if (block.kind === 'list' && isNavigation(source(block), at, blocks.length)) drop.add(at)
  })
  dropRepeats(blocks, markdown, drop)
  dropEmptyHeadings(blocks, drop)
  return rejoined(markdown, blocks, drop)
}

const isPrompt = (source: string): boolean => {
  if (source.length > MAX_PROMPT * 4) return false
  const plain = stripMarkdown(source)
  return plain.length > 0 && plain.length <= MAX_PROMPT && PROMPT.test(plain)
}

/** From a heading to the next of its level, if it contains only links, images and short lines. */
function dropSection(blocks: readonly MarkdownBlock[], at: number, markdown: string, drop: Set<number>): void {
  const depth = blocks[at]!.headings.length
  drop.add(at)
  for (let next = at + 1; next < blocks.length; next++) {
    const block = blocks[next]!
    if (block.kind === 'heading' && block.headings.length <= depth) return
    const source = markdown.slice(block.start, block.end)
    if (block.kind === 'code' || block.kind === 'table') return
    if (block.kind !== 'heading' && linkShare(source) < 0.5 && stripMarkdown(source).length > 200) return
    drop.add(next)
  }
}

function linkShare(source: string): number {
  let linked = 0
  for (const [, words] of source.matchAll(/\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}/g)) linked += words!.length
  const seen = stripMarkdown(source).length
  return seen === 0 ? (linked > 0 || source.includes('](') ? 1 : 0) : linked / seen
}

/** Only short links, at the very beginning or end of the page. */
function isNavigation(source: string, at: number, of: number): boolean {
  const lines = source.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > 0 && lines.every((line) => isPrompt(line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, '')))) return true
  const outer = at < 3 || at >= of - 4
  return outer && lines.length >= 3 && linkShare(source) > 0.9 && stripMarkdown(source).length / lines.length < 40
}

/** A block that occurs three times or more is boilerplate; a long one keeps its first occurrence. */
function dropRepeats(blocks: readonly MarkdownBlock[], markdown: string, drop: Set<number>): void {
  const seen = new Map<string, number[]>()
  blocks.forEach((block, at) => {
    if (block.kind !== 'text' || block.end - block.start > 400) return
    const text = markdown.slice(block.start, block.end)
    const places = seen.get(text)
    if (places) places.push(at)
    else seen.set(text, [at])
  })
  for (const places of seen.values()) if (places.length >= 3) for (const at of places.slice(1)) drop.add(at)
}

/** Drops a heading whose content was dropped; one that was empty before stays. */
function dropEmptyHeadings(blocks: readonly MarkdownBlock[], drop: Set<number>): void {
  // Tracks the next kept block during the walk, so that a run of dropped blocks is passed once and not for every
  // heading.
  let kept = blocks.length
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at]!
    const following = blocks[kept]
    const isEmpty =
      drop.has(at + 1) &&
      (!following || (following.kind === 'heading' && following.headings.length <= block.headings.length))
    if (block.kind === 'heading' && isEmpty) drop.add(at)
    if (!drop.has(at)) kept = at
  }
}

function rejoined(markdown: string, blocks: readonly MarkdownBlock[], drop: ReadonlySet<number>): string {
  if (drop.size === 0) return markdown
  const pieces: string[] = []
  let at = 0
  blocks.forEach((block, n) => {
    if (!drop.has(n)) return
    pieces.push(markdown.slice(at, block.start).trimEnd())
    at = block.end
  })
  pieces.push(markdown.slice(at))
  return pieces
    .map((piece) => piece.replace(/^\s*\n/, ''))
    .filter((piece) => piece !== '')
    .join('\n\n')
}
