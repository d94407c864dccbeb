export const origin = 'https://fieldproof.test'

const addressOf = (asked: RequestInfo | URL): string =>
  asked instanceof Request ? asked.url : new URL(String(asked), origin).href

/** One cache as the platform keeps it: entries in the order they were put, putting again moves an entry to the end. */
const createCache = (): Cache => {
  const entries = new Map<string, Response>()
  return {
    match: async (asked) => entries.get(addressOf(asked))?.clone(),
    put: async (asked, response) => {
      const address = addressOf(asked)
      entries.delete(address)
      entries.set(address, response)
    },
    delete: async (asked) => entries.delete(addressOf(asked)),
    keys: async () => [...entries.keys()].map((address) => new Request(address)),
    add: () => Promise.reject(new Error('not used by the worker')),
    addAll: () => Promise.reject(new Error('not used by the worker')),
    matchAll: () => Promise.reject(new Error('not used by the worker')),
  }
}

/** Cache Storage in memory. A handle to a deleted cache goes on working and is seen by nobody, as the platform's does. */
export const createCaches = (): CacheStorage => {
  const caches = new Map<string, Cache>()
  return {
    open: async (name) => {
      const known = caches.get(name) ?? createCache()
      caches.set(name, known)
      return known
    },
    delete: async (name) => caches.delete(name),
    has: async (name) => caches.has(name),
    keys: async () => [...caches.keys()],
    match: () => Promise.reject(new Error('not used by the worker')),
  }
}

/** A network whose answers the test writes; offline while there is none for an address. */
export const createNetwork = () => {
  const answers = new Map<string, { status: number; body: string }>()
  const asked: string[] = []
  /** What its clock says, in milliseconds since 1970. */
  const time = { now: 0 }
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    asked.push(pathname + search)
    const answer = answers.get(pathname + search)
    if (!answer) throw new TypeError('Failed to fetch')
    return new Response(answer.body, {
      status: answer.status,
      headers: { 'content-length': String(answer.body.length), date: new Date(time.now).toUTCString() },
    })
  }
  const says = (path: string, data: unknown, status = 200) =>
    void answers.set(path, {
      status,
      body:
        status === 200
          ? JSON.stringify({ data })
          : JSON.stringify({ errors: ['no'], ...(typeof data === 'object' && data) }),
    })
  return { fetch, asked, says, time, offline: () => answers.clear() }
}

export const requestFor = (path: string): Request => new Request(origin + path)
