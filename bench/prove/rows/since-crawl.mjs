// A crawl of a whole site to its end; returns its changes as [path, change].
export async function crawlAll(orb, site, body) {
  const { id } = await orb.call('POST', '/v2/crawl', { url: `${site.url}/`, limit: 50_000, ...body })
  const changes = []
  for (let skip = 0; ; ) {
    const { status, data } = await orb.call('GET', `/v2/crawl/${id}?skip=${skip}&limit=500`)
    for (const { change, metadata } of data) changes.push([new URL(metadata.sourceURL).pathname, change])
    skip += data.length
    if (data.length > 0) continue
    if (status !== 'scraping') return changes
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}
