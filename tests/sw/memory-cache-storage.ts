export const origin = 'https://fieldproof.test'

const urlOf = (request: RequestInfo | URL): string =>
  request instanceof Request ? request.url : new URL(String(request), origin).href

/** One cache. As on the platform, entries are in the order in which they were last put. */
const createCache = (): Cache => {
  const entries = new Map<string, Response>()
  return {
    match: async (request) => entries.get(urlOf(request))?.clone(),
    put: async (request, response) => {
      const url = urlOf(request)
      entries.delete(url)
      entries.set(url, response)
    },
    delete: async (request) => entries.delete(urlOf(request)),
    keys: async () => [...entries.keys()].map((url) => new Request(url)),
    add: () => Promise.reject(new Error('not used by the worker')),
    addAll: () => Promise.reject(new Error('not used by the worker')),
    matchAll: () => Promise.reject(new Error('not used by the worker')),
  }
}

/** Cache Storage in memory. As on the platform, a handle to a deleted cache still works but is invisible to others. */
export const createCaches = (): CacheStorage => {
  const caches = new Map<string, Cache>()
  return {
    open: async (name) => {
      const cache = caches.get(name) ?? createCache()
      caches.set(name, cache)
      return cache
    },
    delete: async (name) => caches.delete(name),
    has: async (name) => caches.has(name),
    keys: async () => [...caches.keys()],
    match: () => Promise.reject(new Error('not used by the worker')),
  }
}

/** A network whose responses the test defines; a request without a defined response fails. */
export const createNetwork = () => {
  const responses = new Map<string, { status: number; body: string }>()
  const requestedPaths: string[] = []
  /** The server's time, in milliseconds since 1970, sent in the `date` header. */
  const time = { now: 0 }
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    requestedPaths.push(pathname + search)
    const response = responses.get(pathname + search)
    if (!response) throw new TypeError('Failed to fetch')
    return new Response(response.body, {
      status: response.status,
      headers: { 'content-length': String(response.body.length), date: new Date(time.now).toUTCString() },
    })
  }
  const setResponse = (path: string, data: unknown, status = 200) =>
    void responses.set(path, {
      status,
      body:
        status === 200
          ? JSON.stringify({ data })
          : JSON.stringify({ errors: ['no'], ...(typeof data === 'object' && data) }),
    })
  return { fetch, requestedPaths, setResponse, time, offline: () => responses.clear() }
}

export const requestFor = (path: string): Request => new Request(origin + path)
