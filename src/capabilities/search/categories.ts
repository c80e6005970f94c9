// The sites or file types of a search's categories. `developer` and its older names are developer sites.

type Category = { name: string; domains: readonly string[]; type?: string }

const RESEARCH =
  'arxiv.org biorxiv.org medrxiv.org nature.com science.org sciencedirect.com springer.com ieee.org acm.org ncbi.nlm.nih.gov pubmed.ncbi.nlm.nih.gov researchgate.net semanticscholar.org jstor.org plos.org doi.org openalex.org'.split(
    ' ',
  )
const DEVELOPER =
  'github.com gitlab.com stackoverflow.com developer.mozilla.org npmjs.com pypi.org docs.rs readthedocs.io pkg.go.dev learn.microsoft.com'.split(
    ' ',
  )

export const SEARCH_CATEGORIES: ReadonlyMap<string, Category> = new Map(
  [
    { name: 'github', domains: ['github.com'] },
    { name: 'research', domains: RESEARCH },
    { name: 'pdf', domains: [], type: 'pdf' },
    { name: 'developer', domains: DEVELOPER },
  ].map((category) => [category.name, category]),
)

export const DEVELOPER_CATEGORY_NAMES = [
  'developer',
  'repo',
  'code',
  'docs',
  'devdex',
  'repo_search',
  'developer_index',
] as const

export function findCategoryOfUrl(url: string, asked: readonly string[]): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  return asked.find((name) => {
    const category = SEARCH_CATEGORIES.get(name)
    if (!category) return false
    if (category.type) return pathname.toLowerCase().endsWith(`.${category.type}`)
    return category.domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))
  })
}
