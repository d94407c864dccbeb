import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import { postJson, readData, readOffer } from './bench-customer.ts'

const parentCount = 20
const intervalMs = 50

/** One connection for each parent; further changes wait for it. */
const agent = new Agent({ keepAlive: true, maxSockets: parentCount })

type Parent = { headers: { cookie: string }; lineId: string; quantity: number }

/** `collect` returns the times in milliseconds of the cart changes sent since its last call, once all of them are answered. */
type ParentWaits = { collect: () => Promise<number[]>; stop: () => Promise<void> }

/**
 * Parents who change the quantity of a cart line, one every fifty milliseconds, in a separate thread. A change is sent when its time
 * comes, even if earlier ones are not answered yet, so that a long pause of the server counts for every parent who waits.
 */
export const startParents = async (url: string): Promise<ParentWaits> => {
  const worker = new Worker(new URL(import.meta.url), { workerData: url })
  await once(worker, 'message') // rejects with the error of the thread
  const collect = async (): Promise<number[]> => {
    worker.postMessage('collect')
    const [times] = await once(worker, 'message')
    return times
  }
  return { collect, stop: async () => void (await worker.terminate()) }
}

const openParent = async (url: string, cartUrl: string, jobPath: string): Promise<Parent> => {
  const session = await postJson(`${url}/api/customer/session`, {}, {})
  const headers = { cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '' }
  const get = async <Data>(path: string): Promise<Data> => readData(await fetch(url + path, { headers }))
  await get('/api/customer/studios/riverside/jobs?code=SPRING')
  const [ada] = await get<{ id: number; proof: string }[]>(`${jobPath}/subjects?firstName=Ada&lastName=Lovelace`)
  if (!ada) throw new Error('the demo has no Ada Lovelace')
  await postJson(`${url}${jobPath}/subjects`, headers, { subjectId: ada.id, proof: ada.proof })
  const line = (await readOffer(get, jobPath, ada.id))()
  if (line.do !== 'line.add') throw new Error('the offer adds no line')
  await postJson(cartUrl, headers, { orderMethod: 'gallery', mutations: [line] })
  return { headers, lineId: line.lineId, quantity: 1 }
}

const changeQuantity = async (cartUrl: string, parent: Parent): Promise<number> => {
  parent.quantity = (parent.quantity % 9) + 1
  const mutation: Mutation = {
    id: randomUUID(),
    v: mutationVersion,
    at: new Date().toISOString(),
    do: 'line.quantity',
    lineId: parent.lineId,
    quantity: parent.quantity,
  }
  const start = performance.now()
  const headers = { ...parent.headers, 'content-type': 'application/json' }
  const sent = request(cartUrl, { method: 'POST', agent, headers })
  sent.end(JSON.stringify({ orderMethod: 'gallery', mutations: [mutation] }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage] // the documented arguments of the event
  const body = await text(response)
  if (!body.includes('"status":"done"')) throw new Error(`a quantity was not changed: ${body}`)
  return performance.now() - start
}

const runParents = async (url: string): Promise<void> => {
  const jobPath = '/api/customer/jobs/1'
  const cartUrl = `${url}${jobPath}/cart/sync`
  const parents: Parent[] = []
  for (let number = 0; number < parentCount; number += 1) parents.push(await openParent(url, cartUrl, jobPath))
  let changes: Promise<number>[] = []
  parentPort?.on('message', () => {
    const sent = changes
    changes = []
    void Promise.all(sent).then((times) => parentPort?.postMessage(times))
  })
  parentPort?.postMessage('ready')
  const startedAt = performance.now()
  for (let turn = 0; ; turn += 1) {
    await wait(Math.max(0, startedAt + turn * intervalMs - performance.now()))
    const parent = parents[turn % parentCount]
    if (parent) changes.push(changeQuantity(cartUrl, parent))
  }
}

if (!isMainThread) await runParents(workerData as string) // posted by `startParents`
