// Stock from schema.org terms and from shops' texts in many languages.
import { makeLookupTable } from '../../base/lookup-table.ts'

export type Stock = { inStock: boolean; text: string }

/** A stock text, and how many of the text's characters it covers. */
interface SaidStock extends Stock {
  words: number
  /** The text begins with it: "In stock – ships tomorrow". */
  leads: boolean
}

export const LIMITED_AVAILABILITY = 'Limited availability'

/** schema.org ItemAvailability: in stock or not, and a readable text. */
const IN_STOCK = ['In stock', LIMITED_AVAILABILITY, 'Online only', 'In store only', 'Made to order']
const NOT_IN_STOCK = ['Pre-order', 'Pre-sale', 'Back order', 'Out of stock', 'Sold out', 'Discontinued', 'Reserved']
const toTerm = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
const STOCK_OF_SCHEMA_TERM: ReadonlyMap<string, Stock> = new Map(
  [...IN_STOCK, ...NOT_IN_STOCK].map((text) => [toTerm(text), { inStock: IN_STOCK.includes(text), text }]),
)

/** `https://schema.org/InStock`, `in_stock`, `instock`, `available for order`. */
export function parseStockTerm(value: string | undefined): Stock | undefined {
  if (value === undefined || value.length > 200) return undefined
  const term = toTerm(value.trim().replace(/^.*[/#:]/, ''))
  return STOCK_OF_SCHEMA_TERM.get(term) ?? STOCK_OF_SCHEMA_TERM.get(TERMS_ALSO[term] ?? '')
}

const TERMS_ALSO = makeLookupTable<string>({
  available: 'instock',
  availablefororder: 'instock',
  oos: 'outofstock',
  unavailable: 'outofstock',
  notavailable: 'outofstock',
  lowstock: 'limitedavailability',
})

const GONE = [
  // English, German, French
  'sold[ -]?out|out[ -]of[ -]stock|(?:currently|temporarily|no longer|not) available|unavailable|discontinued|not in stock',
  'ausverkauft|vergriffen|nicht (?:mehr )?(?:auf lager|verfügbar|lieferbar|vorrätig)|derzeit nicht',
  'épuisée?s?|rupture(?: de stock)?|indisponible|non disponible',
  // Spanish, Portuguese, Italian, Romanian
  'agotad[oa]|sin (?:existencias|stock)|no disponible|fuera de stock',
  'esgotad[oa]|indisponível|sem (?:estoque|stock)|fora de (?:estoque|stock)',
  'esaurit[oa]|non disponibile|terminat[oa]',
  'stoc epuizat|indisponibil|nu este (?:în|in) stoc',
  // Dutch and the north
  'uitverkocht|niet (?:meer )?(?:op voorraad|leverbaar|beschikbaar)',
  'slutså(?:ld|lt)|slut i lager|ej i lager|inte i lager|udsolgt|utsolgt|ikke på lager|loppuunmyyty|ei (?:ole )?varastossa|uppselt',
  // The east of Europe
  'wyprzedan[eya]|brak w magazynie|niedostępn[yae]|produkt niedostępny|vyprodáno|není skladem|nedostupn[ýáé]|vypredané|nie je na sklade',
  'elfogyott|nincs (?:készleten|raktáron)|nem elérhető|изчерпан|няма (?:наличност|в наличност)|нет в наличии|распродано|закончил(?:ся|ась|ось)|немає в наявності|rasprodano|nema na (?:stanju|zalihi)|ni na zalogi',
  'tükendi|stokta yok|εξαντλημένο|εξαντλήθηκε|μη διαθέσιμο|אזל|لا يتوفر|نفد|نفذت|غير متوفر',
  // The east of Asia
  '売り?切れ|在庫切れ|在庫なし|品切れ?|完売|售罄|已售完|缺货|缺貨|无货|無貨|售完|품절|일시 ?품절|재고 ?없음|hết hàng|habis terjual|stok habis|สินค้าหมด',
].join('|')

const THERE = [
  'in stock|available(?: now| to ship| for delivery)?|ready to ship|ships (?:today|in|within)|only \\d{1,4} left(?: in stock)?|\\d{1,6} in stock|low stock|last (?:few|one|items?)|hurry',
  'auf lager|sofort lieferbar|lieferbar|verfügbar|vorrätig|nur noch \\d{1,4}|lieferzeit',
  'en stock|disponible|plus que \\d{1,4}|expédié sous',
  'en existencias|disponible|quedan \\d{1,4}|(?:em|en) (?:estoque|stock)|disponível|disponibile|disponibilità|în stoc|in stoc',
  'op voorraad|leverbaar|i lager|på lager|finns i lager|varastossa|á lager',
  'dostępn[yae]|w magazynie|na stanie|skladem|na sklade|készleten|raktáron|в наличност|в наличии|в наявності|na zalihi|na stanju|na zalogi',
  'stokta|διαθέσιμο|σε απόθεμα|במלאי|متوفر',
  '在庫あり|有货|有貨|現貨|现货|재고 ?있음|còn hàng|tersedia|มีสินค้า',
].join('|')

const edge = (words: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${words})(?![\\p{Ll}\\p{Lu}])`, 'iu')
// Scripts without spaces have no word boundaries.
const gone = edge(GONE)
const goneAnywhere = /売り?切れ|在庫切れ|在庫なし|品切れ|完売|售罄|已售完|缺货|缺貨|无货|無貨|售完|품절|สินค้าหมด/u
const there = edge(THERE)
const thereAnywhere = /在庫あり|有货|有貨|現貨|现货|재고 ?있음|มีสินค้า/u

export function parseStockText(text: string): SaidStock | undefined {
  const short = text.slice(0, 300)
  const no = gone.exec(short) ?? goneAnywhere.exec(short)
  if (no) return saidIn(short, no, false)
  if (OTHERS_AVAILABLE.test(short)) return undefined
  const yes = there.exec(short) ?? thereAnywhere.exec(short)
  return yes ? saidIn(short, yes, true) : undefined
}

/** "3 versions available", "financing available": not about stock. */
const OTHERS_AVAILABLE =
  /\b(?:versions?|sizes?|colou?rs?|options?|styles?|formats?|models?|flavou?rs?|financing|coupons?|offers?|downloads?|samples?|gift ?wrap\w*) (?:are |is )?available/i

const saidIn = (short: string, found: RegExpExecArray, inStock: boolean): SaidStock => ({
  inStock,
  text: short.length > MAX_STOCK_TEXT_CHARS ? found[0] : short,
  words: found[0].length,
  leads: found.index === 0,
})

/** From a longer text only the stock words are quoted. */
const MAX_STOCK_TEXT_CHARS = 60

/** Texts of preorder buttons. */
export const preorderButtonPattern =
  /\bpre-?order|\bback-?order|\bvorbestell|\bpr[ée]commande|\breserva(?:r|ción)?\b|\bpré-?(?:venda|encomenda)|\bpreordin|\bprzedsprzedaż|предзаказ|予約|预订|預購|예약 ?주문/iu

/** Texts of buy buttons; an enabled one means in stock. */
export const buyButtonPattern =
  /\b(add (?:it )?to (?:my )?(?:cart|bag|basket|trolley|order)|buy (?:it )?now|buy$|order now|purchase|in den (?:warenkorb|einkaufswagen)|jetzt kaufen|kaufen|ajouter au panier|acheter|añadir (?:al carrito|a la cesta)|agregar al carrito|comprar|adicionar ao carrinho|aggiungi al carrello|acquista|in winkelwagen|in winkelmand|bestellen|lägg i varukorg(?:en)?|köp|læg i kurv|køb|legg i handlekurv|kjøp|lisää ostoskoriin|do koszyka|dodaj do koszyka|kup teraz|do košíku|přidat do košíku|koupit|kosárba|adaugă în coș|sepete ekle|satın al)\b|в корзину|купить|у кошик|προσθήκη στο καλάθι|カートに入れる|カートに追加|購入|加入购物车|加入購物車|立即购买|장바구니|구매하기|thêm vào giỏ|הוסף לסל|أضف إلى/iu
