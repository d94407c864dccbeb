import { randomUUID } from 'node:crypto'
import { type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { isEditableImageNode } from '#domain/catalogue/nodes.ts'
import type { CartRef } from '#server/carts/store/read-cart.ts'
import type { BenchServer } from './bench-server.ts'

/** A customer with the code of the demo's spring job and Ada Lovelace confirmed. */
export type BenchCustomer = {
  headers: { cookie: string }
  cartUrl: string
  cart: CartRef
  /** Ten `line.add` mutations as a phone sends them, each with images and texts, with new ids. */
  addTenPackages: () => Mutation[]
}

const expectOk = async (response: Response): Promise<Response> => {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return response
}

/** Returns the response's data; throws on an error status. */
export const readData = async <Data>(response: Response): Promise<Data> =>
  ((await (await expectOk(response)).json()) as { data: Data }).data

/** Posts JSON and returns the response; throws on an error status. */
export const postJson = (url: string, headers: Record<string, string>, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(expectOk)

const addLineMutation = (offeredPackage: Package, subjectId: number, imageId: number): Mutation => ({
  id: randomUUID(),
  v: mutationVersion,
  at: new Date().toISOString(),
  do: 'line.add',
  lineId: randomUUID(),
  packageId: offeredPackage.id,
  packageVersion: offeredPackage.version,
  subjectId,
  personId: null,
  quantity: 1,
  greenScreenBackgroundId: null,
  dataFields: [],
  textNodes: offeredPackage.items.flatMap(({ textNodes }) =>
    textNodes
      .filter(({ editable }) => editable)
      .map(({ id }) => ({ packageItemTextNodeId: id, value: 'Ada', autoFilled: false })),
  ),
  imageNodes: offeredPackage.items.flatMap(({ imageNodes }) =>
    imageNodes.filter(isEditableImageNode).map(({ id }) => ({
      packageItemImageNodeId: id,
      subjectImageId: imageId,
      groupImageId: null,
      replacementImageId: null,
      cropDimensions: null,
      frontendCropDimensions: null,
      rotation: 0,
    })),
  ),
})

type Get = <Data>(path: string) => Promise<Data>

/** Reads the job's package B and the subject's first image. Returns a function that creates a `line.add` with them, as a phone sends it. */
export const readOffer = async (get: Get, jobPath: string, subjectId: number): Promise<() => Mutation> => {
  const packages = await get<Package[]>(`${jobPath}/packages?orderMethod=gallery`)
  const [image] = await get<{ id: number }[]>(`${jobPath}/subjects/${subjectId}/images`)
  const offeredPackage = packages.find(({ name }) => name.startsWith('Package B'))
  if (!offeredPackage || !image) throw new Error('the demo has no package or no image to order')
  return () => addLineMutation(offeredPackage, subjectId, image.id)
}

/** Opens a session and confirms Ada Lovelace, by the same calls as a phone. */
export const openBenchCustomer = async ({ url, deps }: BenchServer): Promise<BenchCustomer> => {
  const sessionResponse = await postJson(`${url}/api/customer/session`, {}, {})
  const headers = { cookie: sessionResponse.headers.get('set-cookie')?.split(';')[0] ?? '' }
  const get = async <Data>(path: string): Promise<Data> => readData(await fetch(url + path, { headers }))
  const { jobId, studioId } = await get<{ jobId: number; studioId: number }>(
    '/api/customer/studios/riverside/jobs?code=SPRING',
  )
  const jobPath = `/api/customer/jobs/${jobId}`
  const [ada] = await get<{ id: number; proof: string }[]>(`${jobPath}/subjects?firstName=Ada&lastName=Lovelace`)
  if (!ada) throw new Error('the demo has no Ada Lovelace')
  await postJson(`${url}${jobPath}/subjects`, headers, { subjectId: ada.id, proof: ada.proof })
  const addLine = await readOffer(get, jobPath, ada.id)
  const { id } = await deps.db
    .selectFrom('customer_sessions')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    headers,
    cartUrl: `${url}${jobPath}/cart`,
    cart: { session: { id }, job: { studioId, jobId }, orderMethod: 'gallery' },
    addTenPackages: () => Array.from({ length: 10 }, addLine),
  }
}
