// Word lists for threat scoring: imitated brands, words that request trust, and free hosts and TLDs.

export const IMITATED_BRAND_NAMES: readonly string[] =
  `paypal apple icloud microsoft office365 outlook hotmail google gmail facebook instagram whatsapp amazon netflix ebay
  linkedin twitter dropbox adobe docusign wellsfargo chase bankofamerica citibank capitalone americanexpress usbank hsbc
  barclays lloyds natwest santander halifax rbs itau bradesco caixa bbva ing rabobank abnamro ubs postfinance commerzbank
  deutschebank sparkasse volksbank credit-agricole creditagricole labanquepostale societegenerale bnpparibas orange sfr
  bouygues laposte ameli impots free ovh dhl fedex ups usps hermes royalmail alibaba aliexpress taobao rakuten steam
  steamcommunity steampowered roblox epicgames blizzard battle playstation xbox nintendo spotify yahoo aol verizon att
  tmobile comcast xfinity blockchain coinbase binance kraken metamask bitfinex bittrex localbitcoins myetherwallet ledger
  trezor visa mastercard westernunion moneygram venmo cashapp zelle stripe shopify airbnb booking uber github gitlab
  cloudflare godaddy wordpress zoom slack telegram tiktok snapchat pinterest reddit vkontakte mailru yandex sberbank
  tinkoff alfabank qiwi interac rogers telus scotiabank desjardins bmo tdbank royalbank anz westpac commbank nab bendigo
  hmrc irs gov mygov dvla banco bancolombia mercadolibre mercadopago nubank allegro onedrive sharepoint skype`
    .split(/\s+/)
    .filter(Boolean)

export const TRICK_WORDS: ReadonlySet<string> = new Set(
  `account accounts activate activation alert authenticate authentication authorize auth bank banking banned billing
  bonus cancel card client clients cmd confirm confirmation connect connexion credential customer dispatch ebayisapi
  espace secure secured security secureserver server service services session signin signon login logon logins log
  limited limitation locked mail mailbox manage notification notice online owa password passwd pay payment payments
  portal promo recover recovery refund renew reset restore resolve resolution restricted review suspend suspended
  suspension support survey token unlock unusual update updates upgrade upgrading user userid validate validation
  verification verify verified verifying wallet webapps webmail webscr win winner invoice document doc docs shared pdf
  gift free claim reward customs parcel tracking delivery id dispatch home signature webapp websrc`
    .split(/\s+/)
    .filter(Boolean),
)

export const FREE_HOSTS: ReadonlySet<string> = new Set(
  `000webhostapp.com weebly.com wixsite.com blogspot.com godaddysites.com firebaseapp.com web.app herokuapp.com
  netlify.app vercel.app github.io glitch.me repl.co surge.sh pages.dev workers.dev ngrok.io duckdns.org no-ip.org
  hopto.org ddns.net dynu.net dns-cloud.net 16mb.com altervista.org byethost.com freehosting.com yolasite.com webcindario.com
  jimdo.com jimdofree.com ucoz.com ucoz.net tripod.com angelfire.com myfreesites.net strikingly.com square.site
  site123.me webnode.com moonfruit.com mystrikingly.com wordpress.com tumblr.com sharepoint.com typeform.com
  jotform.com formstack.com 123formbuilder.com bit.ly tinyurl.com goo.gl t.co is.gd ow.ly rebrand.ly cutt.ly
  beget.tech hostingerapp.com esy.es hol.es pe.hu 96.lt ml3.in atwebpages.com mybluehost.me windows.net appspot.com`
    .split(/\s+/)
    .filter(Boolean),
)

/** Cheap or free TLDs, mostly used for abuse. */
export const CHEAP_TLDS: ReadonlySet<string> = new Set(
  `tk ml ga cf gq xyz top club online site icu buzz live work click link info pw cc ws rest fit bid loan win vip men date
  stream party trade review country cyou cfd sbs monster quest support services space website press host fun`
    .split(/\s+/)
    .filter(Boolean),
)

export const COMMON_TLDS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'edu', 'gov', 'mil', 'int'])
