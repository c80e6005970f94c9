// Fetches a file with the cookies of the page, as a data URL.
export async function fetchFile(url, most, tooLarge) {
  const response = await fetch(url, { credentials: 'include' })
  if (!response.ok) throw new Error(`the site returned ${response.status}`)
  const blob = await response.blob()
  if (blob.size > most) throw new Error(tooLarge)
  return new Promise((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result)
    reader.onerror = fail
    reader.readAsDataURL(blob)
  })
}
