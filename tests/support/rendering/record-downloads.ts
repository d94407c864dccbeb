import { onTestFinished, vi } from 'vitest'

/** Records the bodies that are posted and the names under which files are saved, until the test ends. Needs a stubbed server. */
export const recordDownloads = () => {
  const savedNames: string[] = []
  const postedBodies: unknown[] = []
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  onTestFinished(() => clicks.mockRestore())
  clicks.mockImplementation(function (this: HTMLAnchorElement) {
    savedNames.push(this.download)
  })
  const stubbedFetch = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, options: RequestInit = {}) => {
    if (options.method === 'POST') postedBodies.push(JSON.parse(String(options.body)))
    return stubbedFetch(address, options)
  })
  return { savedNames, postedBodies }
}

/** A file as the server sends it. */
export const fileResponse = (name: string): Response =>
  new Response('Date', {
    headers: { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
  })
