// Where people and houses are to be found on other sites: the networks that fields are named after, by the hosts that
// their profiles live at. A link that shares this page there is no profile.
import { tableOf } from '../../base/table.ts'

/** The host and the path of a profile. */
export const NETWORKS = tableOf<RegExp>({
  twitter: /^(?:www\.|mobile\.)?(?:twitter|x)\.com\/(?!(?:home|search|hashtag|i)(?:\/|$))@?\w{1,30}/i,
  facebook: /^(?:[a-z-]{2,6}\.)?facebook\.com\/(?!(?:plugins|dialog|groups\/?$)(?:\/|$))[^/?]/i,
  instagram: /^(?:www\.)?instagram\.com\/(?!p\/)[\w.]/i,
  linkedin: /^(?:[a-z]{2,3}\.)?linkedin\.com\/(?:in|company|school|showcase|pub)\/[^/?]/i,
  github: /^(?:www\.)?github\.com\/[\w-]/i,
  gitlab: /^(?:www\.)?gitlab\.com\/[\w-]/i,
  youtube: /^(?:www\.|m\.)?youtube\.com\/(?:@|c\/|channel\/|user\/|(?!watch|embed|playlist|shorts|results)[\w-]+\/?$)/i,
  tiktok: /^(?:www\.)?tiktok\.com\/@/i,
  pinterest: /^(?:[a-z]{2,3}\.)?pinterest\.[a-z.]{2,6}\/(?!pin\/)[^/?]/i,
  discord: /^(?:www\.)?discord(?:app)?\.(?:gg|com)\/\w/i,
  telegram: /^(?:www\.)?(?:t\.me|telegram\.me)\/\w/i,
  whatsapp: /^(?:wa\.me|api\.whatsapp\.com)\/\w/i,
  reddit: /^(?:www\.|old\.)?reddit\.com\/(?:r|u|user)\/\w/i,
  vimeo: /^(?:www\.)?vimeo\.com\/[a-z]/i,
  behance: /^(?:www\.)?behance\.net\/\w/i,
  dribbble: /^(?:www\.)?dribbble\.com\/\w/i,
  bluesky: /^(?:www\.)?bsky\.app\/profile\/\w/i,
  twitch: /^(?:www\.)?twitch\.tv\/\w/i,
  xing: /^(?:www\.)?xing\.com\/(?:profile|pages|companies)\/\w/i,
})

const SHARING = /\/(?:share|sharer|sharing|intent|sharearticle|submit)\b|[?&](?:url|u|text|body|mini)=/i

/** Whether an address is that of a profile on the network. */
export function isProfileAt(network: string, address: string): boolean {
  const bare = address.trim().replace(/^(?:https?:)?\/\//i, '')
  return bare.length <= 300 && NETWORKS[network]?.test(bare) === true && !SHARING.test(bare)
}
