// Refuses a cookie banner by its reject button and removes what remains; without a button `unanswered` decides.
export async function refuseConsent(unanswered) {
  const KNOWN =
    '#onetrust-consent-sdk, #CybotCookiebotDialog, #didomi-host, #usercentrics-root, .qc-cmp2-container, [id^="sp_message_container"], .fc-consent-root, #cookie-law-info-bar, .cc-window, #cookiescript_injected, .osano-cm-window, #iubenda-cs-banner, .cky-consent-container, .cmplz-cookiebanner, #axeptio_overlay, #tarteaucitronRoot, #truste-consent-track, .truste_overlay, .termly-styles-root'
  const LIKELY =
    '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i], [id*="cmp" i], [class*="cmp-" i], dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"]'
  const SPEAKS =
    /cookie|consent|einwilligung|datenschutz|vie priv\u00e9e|privacidad|privacy|personuppgifter|zgod[ay]|soubory|\u540c\u610f|\u30af\u30c3\u30ad\u30fc/i
  const NO =
    /\b(reject|decline|refuse|deny|disagree|no,? thanks|opt[ -]?out|(only|just|strictly) (the )?(necessary|essential|required)|(necessary|essential|required)( cookies)? only|continue without|without accepting)\b|ablehnen|verweigern|nur (notwendige|erforderliche|essenzielle)|refuser|continuer sans|rechazar|denegar|rifiuta|nega|weigeren|afwijzen|avvisa|neka|afvis|odm\u00edtnout|odrzu|recusar|rejeitar|hyl\u00e4|\u62d2\u5426|\u62d2\u7edd/i
  const floats = (element) => {
    for (let one = element, up = 0; one && up < 4; one = one.parentElement, up++) {
      const { position } = getComputedStyle(one)
      if (position === 'fixed' || position === 'sticky') return true
    }
    return element.matches('dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"]')
  }
  const seen = (element) =>
    element.isConnected && element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden'
  const banners = [...document.querySelectorAll(KNOWN)]
  for (const element of [...document.querySelectorAll(LIKELY)].slice(0, 300)) {
    if (
      banners.some((banner) => banner.contains(element)) ||
      element === document.body ||
      element === document.documentElement
    )
      continue
    const text = element.textContent ?? ''
    if (text.length < 4000 && SPEAKS.test(text) && seen(element) && floats(element)) banners.push(element)
  }
  if (banners.length === 0) return 'none'
  let refused = false
  for (const banner of banners) {
    /** @type {any} */
    const roots = [banner, banner.shadowRoot].filter(Boolean)
    const buttons = roots
      .flatMap((root) => [
        ...root.querySelectorAll('button, a, [role="button"], input[type="button"], input[type="submit"]'),
      ])
      .slice(0, 100)
    const no = buttons.find((button) =>
      NO.test((button.innerText || button.value || button.getAttribute('aria-label') || '').slice(0, 80)),
    )
    if (!no) continue
    no.click()
    refused = true
  }
  if (!refused && unanswered === 'leave') return 'open'
  if (refused) await new Promise((resolve) => setTimeout(resolve, 60))
  for (const banner of banners) if (banner.isConnected) banner.remove()
  for (const cover of [
    ...document.querySelectorAll('[class*="overlay" i], [class*="backdrop" i], [class*="modal-bg" i]'),
  ].slice(0, 200)) {
    const { position } = getComputedStyle(cover)
    const { width, height } = cover.getBoundingClientRect()
    if (
      position === 'fixed' &&
      width >= innerWidth * 0.9 &&
      height >= innerHeight * 0.9 &&
      (cover.textContent ?? '').trim().length < 40
    )
      cover.remove()
  }
  for (const root of [document.documentElement, document.body])
    if (root && /hidden|clip/.test(getComputedStyle(root).overflow + getComputedStyle(root).overflowY))
      root.style.setProperty('overflow', 'auto', 'important')
  return refused ? 'refused' : 'removed'
}
