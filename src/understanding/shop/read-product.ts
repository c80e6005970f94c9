// Merges all sources into the page's product: data first, then state, then visible content. Nothing is invented: fields
// without a source are omitted.
import { collapseSpaces, textOfNode } from '../../content/parse-tree.ts'
import { buildVariants, type ProductVariant } from './build-variants.ts'
import { collectProductSources, type PageTreeAndMetadata, type ProductSources } from './collect-product-sources.ts'
import { MAX_VARIANTS, toTextOrName, toTextWithoutMarkup } from './product-draft.ts'

export interface Product {
  title: string
  brand?: string
  category?: string
  url: string
  description?: string
  variants: ProductVariant[]
}

export interface ProductReading {
  /** Absent: the page has none. */
  product?: Product
  warnings: string[]
  /** What indicated a product; empty: nothing. */
  evidence: readonly string[]
}

export function readProduct(view: PageTreeAndMetadata): ProductReading {
  const sources = collectProductSources(view)
  const { linked, state, heading } = sources
  const title = withoutSite(
    linked?.title ?? state?.draft.title ?? heading?.text ?? toTextOrName(view.metadata.ogTitle),
    heading?.text,
  )
  if (sources.evidence.length === 0 || !title) return { warnings: ['No product found on this page.'], evidence: [] }
  const { metadata, url } = view
  const brand =
    linked?.brand ??
    state?.draft.brand ??
    shownBrand(sources) ??
    toTextOrName(metadata['product:brand'] ?? metadata['og:brand']) ??
    sources.labelled().brand
  const category = categoryOf(sources, title, toTextOrName(metadata.ogSiteName))
  const description = [
    linked?.description,
    state?.draft.description,
    toTextWithoutMarkup(metadata.ogDescription),
    toTextWithoutMarkup(metadata.description),
  ].find((text) => text !== undefined && text.length > 3)
  const variants = buildVariants(sources, title, metadata)
  const left = (state?.draft ?? linked)?.left ?? 0
  const product: Product = {
    title,
    ...(brand ? { brand } : {}),
    ...(category ? { category } : {}),
    url: toTextOrName(metadata.canonical) ?? linked?.url ?? url,
    ...(description ? { description } : {}),
    variants,
  }
  const warnings =
    left > 0 ? [`The product has ${MAX_VARIANTS + left} variants; the first ${MAX_VARIANTS} are listed.`] : []
  return { product, warnings, evidence: sources.evidence }
}

/** Data sometimes repeat the window title, `White Mug — Ghost Wares`; the heading does not. */
function withoutSite(title: string | undefined, heading: string | undefined): string | undefined {
  if (!title || !heading || !title.toLowerCase().startsWith(heading.toLowerCase())) return title
  return /^\s+[—–|·-]\s+\S/.test(title.slice(heading.length)) ? title.slice(0, heading.length) : title
}

function shownBrand({ scan: { brands }, heading }: ProductSources): string | undefined {
  const near = brands.filter(
    ({ away, at, text, element }) =>
      !away && text && text.length <= 50 && element.name !== 'button' && (!heading || Math.abs(at - heading.at) < 80),
  )
  const said = near[0]?.text.replace(/^(?:by|brand|marke|marque|marca|von|de|hersteller|vendor)\s*:?\s+/i, '')
  // "Visit the Kettle Co. Store"
  return said?.replace(/^visit the (.{2,40}) store$/i, '$1') || undefined
}

const HOME =
  /^(?:home|homepage|start|startseite|accueil|inicio|início|hem|hjem|etusivu|kezdőlap|főoldal|strona główna|domů|главная|ホーム|トップ|首页|首頁|홈|shop|store|all|all products|products)$/i

function categoryOf(
  { linked, state, breadcrumbs, scan, hint }: ProductSources,
  title: string,
  site: string | undefined,
): string | undefined {
  if (linked?.category && !/^\d+$/.test(linked.category)) return linked.category
  const shown =
    breadcrumbs.length > 0 ? breadcrumbs : state?.draft.path?.length ? state.draft.path : shownBreadcrumbs(scan)
  const toTightText = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const own = [title, site ?? '', hint.host?.replace(/^www\.|\.\w+$/g, '') ?? ''].map(toTightText)
  const path = shown.filter(
    (name, n) => !HOME.test(name) && !own.includes(toTightText(name)) && !(n === 0 && isHost(name, hint.host)),
  )
  return path.join(' > ') || state?.draft.category
}

/** `BH Photo` at bhphotovideo.com. */
const isHost = (name: string, host = ''): boolean =>
  name.length > 3 && host.replace(/^www\./, '').startsWith(name.toLowerCase().replace(/[^a-z0-9]/g, ''))

function shownBreadcrumbs({ breadcrumbs }: ProductSources['scan']): string[] {
  const [box] = breadcrumbs
  if (!box) return []
  const text = collapseSpaces(textOfNode(box.element, 1000))
  const linked = linksIn(box.element)
  return linked.length > 0 ? linked : text.length < 200 ? text.split(/\s*[>»›/|]\s*/).filter(Boolean) : []
}

function linksIn(root: ProductSources['scan']['breadcrumbs'][number]['element']): string[] {
  const names: string[] = []
  const open = [...root.children].reverse()
  for (let steps = 0; open.length > 0 && steps < 500 && names.length < 20; steps++) {
    const node = open.pop()
    if (!node || !('children' in node)) continue
    if ('name' in node && node.name === 'a') {
      const name = collapseSpaces(textOfNode(node, 100))
      if (name) names.push(name)
    } else open.push(...[...node.children].reverse())
  }
  return names
}
