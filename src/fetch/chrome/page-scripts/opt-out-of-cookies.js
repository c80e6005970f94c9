// Lets autoconsent (`detect`) refuse a cookie banner.
export async function optOutOfCookies(init, budgetMs, detect) {
  const names = ['autoconsentSendMessage', 'autoconsentReceiveMessage']
  if (names.some((name) => name in window)) return false
  const page = /** @type {any} */ (window)
  let end
  const result = new Promise((resolve) => {
    end = resolve
  })
  page.autoconsentSendMessage = async (message) => {
    if (message.type === 'init') setTimeout(() => page.autoconsentReceiveMessage(init))
    else if (message.type === 'optOutResult') end(message.result)
    else if (message.type === 'autoconsentDone') end(true)
    else if (message.type === 'autoconsentError') end(false)
    else if (message.type === 'report' && message.state?.lifecycle === 'nothingDetected') end(false)
  }
  setTimeout(() => end(false), budgetMs)
  detect()
  const refused = await result
  for (const name of names) delete page[name]
  return !!refused
}
