import { assert } from 'superstruct'
import { expect } from 'vitest'
import { getCart, maxMutationsPerSync, syncCart } from '#contract/customer/cart-calls.ts'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { Cart as CartStruct } from '#contract/shapes/cart-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { withCartChanges } from '#domain/cart/cart-changes.ts'
import { type Change, type LineContent, type Mutation, stampChange } from '#domain/cart/mutation.ts'
import type { OrderMethod, Package } from '#domain/catalogue/catalogue.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import { notModified, type RequestFunction, type Transport } from '#local/transport/request.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'

/** What a job sells, by the ids that its server assigned. */
export type ContractJob = {
  jobId: number
  slug: string
  /** Has two images. Not confirmed by any session yet. */
  ada: { id: number; proof: string; imageIds: number[] }
  /** Has one image. */
  ben: { id: number; proof: string; imageId: number }
  /** $25, of one print with one image and one line of text; version 1. Version 2 costs $30. */
  standard: Package
  revised: Package
  /** $5, only for carts that hold a standard package. */
  addOn: Package
  /** Withdrawn from sale. */
  withdrawn: Package
  services: { retouch: number; personalization: number; box: number }
}

/** A browser with its own cookies, and server-side operations on its session. */
export type ContractBrowser = {
  request: RequestFunction
  send: Transport
  setState: (orderMethod: OrderMethod, state: Cart['state']) => Promise<void>
}

/** A cart server created for one test. Its job accepts orders by both methods and asks for the grade in prepay. */
export type CartServer = {
  job: ContractJob
  newBrowser: () => ContractBrowser
  /** Deletes all sessions. */
  deleteSessions: () => Promise<void>
  /** Deletes the confirmed subjects of every session. */
  deleteConfirmedSubjects: () => Promise<void>
}

type Result = { id: string; status: string; problem?: string; errors?: string[] }

const stampedMutation = <Kind extends Change['do']>(change: Change & { do: Kind }): Mutation & { do: Kind } =>
  stampChange(change, { now: () => '2027-04-15T09:00:00.000Z', newId: randomId }) as Mutation & { do: Kind } // the kind of the change

const emptyContent: LineContent = { greenScreenBackgroundId: null, dataFields: [], textNodes: [], imageNodes: [] }

const imageChoice = (nodeId: number, subjectImageId: number) => ({
  ...{ packageItemImageNodeId: nodeId, subjectImageId, groupImageId: null, replacementImageId: null },
  ...{ cropDimensions: null, frontendCropDimensions: null, rotation: 0 },
})

const textNodesOf = ({ items }: Package, value: string) =>
  items.flatMap((item) => item.textNodes.map((node) => ({ packageItemTextNodeId: node.id, value, autoFilled: false })))

const imageNodesOf = ({ items }: Package, imageId: number) =>
  items.flatMap((item) => item.imageNodes.map((node) => imageChoice(node.id, imageId)))

const gradeField = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })

/** Calls of a customer whose browser has no session yet. */
const contractCustomer = ({ job, newBrowser }: CartServer) => {
  const { jobId, slug } = job
  const browser = newBrowser()
  const { request } = browser
  const redeem = (code = 'SPRING', studioSlug = slug) =>
    request(redeemCode, { params: { slug: studioSlug }, query: { code } })
  const confirm = ({ id, proof }: { id: number; proof?: string }) =>
    request(confirmSubject, { params: { jobId }, body: { subjectId: id, ...(proof !== undefined && { proof }) } })
  const requestCart = (orderMethod: OrderMethod = 'gallery', etag?: string) =>
    request(getCart, { params: { jobId }, query: { orderMethod }, etag })
  const send = (
    mutations: readonly unknown[],
    orderMethod: OrderMethod = 'gallery',
    { cartId, base }: { cartId?: number | undefined; base?: string | undefined } = {},
  ) =>
    request(syncCart, {
      params: { jobId },
      body: { orderMethod, mutations: [...mutations], ...(cartId && { cartId }), ...(base && { base }) },
    })
  const cart = async (orderMethod: OrderMethod = 'gallery'): Promise<Cart> => {
    const result = await requestCart(orderMethod)
    if (!result.ok) throw new Error(result.errors[0])
    return result.data
  }
  const storedCarts = new Map<OrderMethod, { cart: Cart; etag: string | undefined }>()
  /** Returns the whole cart, of which the server may have sent only the changes since the last one. */
  const sync = async (mutations: readonly unknown[], orderMethod: OrderMethod = 'gallery', cartId?: number) => {
    const stored = storedCarts.get(orderMethod)
    const response = await send(mutations, orderMethod, { cartId, base: stored?.etag })
    if (!response.ok) throw new Error(`${response.status}: ${response.errors[0]}`)
    const { results, etag, cart: wholeCart, changes } = response.data
    const syncedCart = wholeCart ?? (stored && changes && withCartChanges(stored.cart, changes))
    assert(syncedCart, CartStruct)
    storedCarts.set(orderMethod, { cart: syncedCart, etag })
    return { results: results as Result[], cart: syncedCart }
  }
  return { ...browser, redeem, confirm, requestCart, send, cart, sync }
}

/** Builds mutations for the server's job, for Ada unless another subject is given. */
const mutationBuilders = ({ job }: CartServer) => {
  const add = (newPackage: Package = job.standard, overrides: Partial<Mutation & { do: 'line.add' }> = {}) =>
    stampedMutation({
      ...({
        do: 'line.add',
        lineId: randomId(),
        packageId: newPackage.id,
        packageVersion: newPackage.version,
        quantity: 1,
      } as const),
      ...{ subjectId: job.ada.id, personId: null },
      ...emptyContent,
      ...overrides,
    })
  const service = (orderServiceId: number, overrides: Partial<Mutation & { do: 'service.set' }> = {}) =>
    stampedMutation({
      ...({ do: 'service.set', orderServiceId, subjectId: job.ada.id, personId: null, imageLookupId: null } as const),
      ...{ personalization: null, price: null },
      ...overrides,
    })
  const person = (personId: string, firstName: string, overrides: Partial<Mutation & { do: 'person.set' }> = {}) =>
    stampedMutation({ do: 'person.set', personId, firstName, lastName: 'Ek', dataFields: [], ...overrides })
  const quantity = (lineId: string, count: number) => stampedMutation({ do: 'line.quantity', lineId, quantity: count })
  const remove = (lineId: string) => stampedMutation({ do: 'line.remove', lineId })
  const customise = (lineId: string, overrides: Partial<LineContent>) =>
    stampedMutation({ do: 'line.customise', lineId, ...emptyContent, ...overrides })
  const accept = (lineId: string, packageVersion: number) =>
    stampedMutation({ do: 'line.accept', lineId, packageVersion })
  const chooseImage = (subjectId: number, imageId: number) => stampedMutation({ do: 'pose.set', subjectId, imageId })
  const clear = () => stampedMutation({ do: 'cart.clear' })
  return { add, service, person, quantity, remove, customise, accept, chooseImage, clear }
}

/** The part of a cart that both servers must agree on. Ids and URLs differ between servers. */
const comparableCart = ({ cartPackages, subjects, cartOrderServicesDetails: services, yearBookPoses }: Cart) => ({
  lines: cartPackages.map((line) => ({
    lineId: line.lineId,
    packageId: line.packageId,
    version: line.snapshot.package.version,
    price: line.price,
    quantity: line.quantity,
    fields: line.dataFields.map(({ name, value }) => [name, value]),
    texts: line.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value)),
    imageIds: line.cartPackageItems.flatMap((item) => item.imageNodes.map((node) => node.subjectImageId)),
  })),
  firstNames: subjects.map(({ firstName }) => firstName),
  services: [services.cartOrderServices, services.retouches, services.personalizations].map((list) =>
    list.map(({ orderServiceId, price }) => [orderServiceId, price]),
  ),
  yearbookChoices: yearBookPoses,
})

const failed = (problem: string, message: string) => ({ ok: false, problem, errors: [message] })
const done = ({ id }: Mutation) => ({ id, status: 'done' })
const rejectedResult = ({ id }: { id: string }, problem: string, message: string) => ({
  id,
  status: 'refused',
  problem,
  errors: [message],
})

const sessionUnknown = failed('session-unknown', 'Your session has ended. Please enter the code again')
const codeNeeded = failed('code-needed', 'Please enter the event’s code first')
const notFound = failed('not-found', 'We could not find this')
const badRequest = failed('bad-request', 'Something in this request is not valid')

/** A cart server with a new customer and the mutation builders. */
type ScenarioContext = CartServer & ReturnType<typeof mutationBuilders> & { enter: () => Promise<ContractCustomer> }
type ContractCustomer = ReturnType<typeof contractCustomer>

const scenarioContext = (server: CartServer): ScenarioContext => ({
  ...server,
  ...mutationBuilders(server),
  enter: async () => {
    const customer = contractCustomer(server)
    await customer.redeem()
    await customer.confirm(server.job.ada)
    return customer
  },
})

/** A rejection: mutations sent before, the rejected mutation, and the expected problem. */
type RejectionCase = [
  name: string,
  prepare: (context: ScenarioContext) => { before?: Mutation[]; mutation: Mutation; orderMethod?: OrderMethod },
  problem: string,
  message: string,
]

const grantNeeded = ['grant-needed', 'Please choose and confirm this child first'] as const
const lineUnknown = ['line-unknown', 'That item is not in this cart'] as const
const imageWithdrawn = ['picture-gone', 'This photo is no longer available. Please choose another one'] as const

const rejectionCases: RejectionCase[] = [
  [
    'a package for an unconfirmed subject',
    (context) => ({ mutation: context.add(undefined, { subjectId: context.job.ben.id }) }),
    ...grantNeeded,
  ],
  [
    'a package for a subject that does not exist',
    (context) => ({ mutation: context.add(undefined, { subjectId: 999_999 }) }),
    ...grantNeeded,
  ],
  [
    'a package for an unknown typed subject',
    (context) => ({ mutation: context.add(undefined, { subjectId: null, personId: randomId() }) }),
    ...grantNeeded,
  ],
  [
    'a package without a subject',
    (context) => ({ mutation: context.add(undefined, { subjectId: null }) }),
    'subject-missing',
    'An error occurred',
  ],
  [
    'a package that is withdrawn from sale',
    (context) => ({ mutation: context.add(context.job.withdrawn) }),
    'package-gone',
    'This package is no longer offered',
  ],
  [
    'a package with the quantity zero',
    (context) => ({ mutation: context.add(undefined, { quantity: 0 }) }),
    'quantity-invalid',
    'Choose a whole number from 0 to 99',
  ],
  [
    'an add-on without a standard package',
    (context) => ({ mutation: context.add(context.job.addOn) }),
    'add-on-needs-standard',
    'This add-on needs a package in the cart that allows it',
  ],
  [
    'a text for an unknown node',
    (context) => ({
      mutation: context.add(undefined, {
        textNodes: [{ packageItemTextNodeId: 999_999, value: 'Ada', autoFilled: false }],
      }),
    }),
    'node-unknown',
    'That choice is no longer part of this package',
  ],
  [
    'a text with unprintable letters',
    (context) => ({ mutation: context.add(undefined, { textNodes: textNodesOf(context.job.standard, 'Ada 😀') }) }),
    'letters-lacking',
    'The print can’t show “😀”. Please write it without',
  ],
  [
    'an image of another subject',
    (context) => ({
      mutation: context.add(undefined, { imageNodes: imageNodesOf(context.job.standard, context.job.ben.imageId) }),
    }),
    ...imageWithdrawn,
  ],
  [
    'a background that does not exist',
    (context) => ({ mutation: context.add(undefined, { greenScreenBackgroundId: 999_999 }) }),
    'background-gone',
    'This background is no longer available. Please choose another one',
  ],
  ['a quantity of an unknown line', (context) => ({ mutation: context.quantity(randomId(), 2) }), ...lineUnknown],
  ['an edit of an unknown line', (context) => ({ mutation: context.customise(randomId(), {}) }), ...lineUnknown],
  [
    'a new package version for an unknown line',
    (context) => ({ mutation: context.accept(randomId(), 1) }),
    ...lineUnknown,
  ],
  [
    'an edit with an image of another subject',
    (context) => {
      const addedLine = context.add()
      const imageNodes = imageNodesOf(context.job.standard, context.job.ben.imageId)
      return { before: [addedLine], mutation: context.customise(addedLine.lineId, { imageNodes }) }
    },
    ...imageWithdrawn,
  ],
  [
    'a service for an unconfirmed subject',
    (context) => ({ mutation: context.service(context.job.services.box, { subjectId: context.job.ben.id }) }),
    ...grantNeeded,
  ],
  [
    'a service that does not exist',
    (context) => ({ before: [context.add()], mutation: context.service(999_999) }),
    'service-gone',
    'This service is no longer offered',
  ],
  [
    'a service without a package',
    (context) => ({ mutation: context.service(context.job.services.box) }),
    'service-needs-package',
    'Choose a package for this child first',
  ],
  [
    'retouching of one image where the service covers the subject',
    (context) => ({
      before: [context.add()],
      mutation: context.service(context.job.services.retouch, { imageLookupId: context.job.ada.imageIds[0] ?? 0 }),
    }),
    'retouch-picture',
    'Choose the photo to retouch',
  ],
  [
    'retouching of an image of another subject',
    (context) => ({
      before: [context.add()],
      mutation: context.service(context.job.services.retouch, { imageLookupId: context.job.ben.imageId }),
    }),
    ...imageWithdrawn,
  ],
  [
    'an empty personalization',
    (context) => ({
      before: [context.add()],
      mutation: context.service(context.job.services.personalization, { personalization: nameAndYear('') }),
    }),
    'personalization-empty',
    'Type what to print, and choose what to print it on',
  ],
  [
    'a personalization with unprintable letters',
    (context) => ({
      before: [context.add()],
      mutation: context.service(context.job.services.personalization, { personalization: nameAndYear('😀') }),
    }),
    'letters-lacking',
    'The print can’t show “😀”. Please write it without',
  ],
  [
    'a typed subject in a job with a list of subjects',
    (context) => ({ mutation: context.person(randomId(), 'Bo') }),
    'person-listed',
    'The studio has a list for this event. Please find this child in it',
  ],
  [
    'a typed subject without a name',
    (context) => ({ mutation: context.person(randomId(), ' '), orderMethod: 'prepay' }),
    'name-missing',
    'Type the first and the last name',
  ],
  [
    'one typed subject more than the limit',
    (context) => ({
      before: Array.from({ length: 20 }, () => context.person(randomId(), 'Bo')),
      mutation: context.person(randomId(), 'Bo'),
      orderMethod: 'prepay',
    }),
    'people-full',
    'Too many people were typed in here. Order for these first',
  ],
  [
    'a yearbook image for an unconfirmed subject',
    (context) => ({ mutation: context.chooseImage(context.job.ben.id, context.job.ben.imageId) }),
    ...grantNeeded,
  ],
  [
    'a yearbook image of another subject',
    (context) => ({ mutation: context.chooseImage(context.job.ada.id, context.job.ben.imageId) }),
    ...imageWithdrawn,
  ],
]

/** The contract between a cart server and a device. Every scenario runs against the product's server and the model server. */
export const scenarios: [name: string, run: (server: CartServer) => Promise<void>][] = [
  [
    'opens a session once',
    async (server) => {
      const { request } = server.newBrowser()
      expect([await request(openSession), await request(openSession)]).toMatchObject([
        { ok: true, data: { created: true } },
        { ok: true, data: { created: false } },
      ])
    },
  ],
  [
    'sends no cart to a device that has it, until it changes',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { requestCart, sync } = await enter()
      await sync([add()])
      const first = await requestCart()
      if (!first.ok) throw new Error(first.errors[0])
      expect(await requestCart('gallery', first.etag)).toMatchObject({ ok: false, status: notModified })
      expect(await requestCart('gallery', 'another')).toMatchObject({ ok: true, data: first.data })
      await sync([add()])
      const second = await requestCart('gallery', first.etag)
      expect(second).toMatchObject({ ok: true, data: { version: first.data.version + 1 } })
      expect(await requestCart('prepay', first.etag)).toMatchObject({ ok: true, data: { cartPackages: [] } })
    },
  ],
  [
    'sends only the changes to a device that has the cart which was changed',
    async (server) => {
      const { add, quantity, enter } = scenarioContext(server)
      const { requestCart, send, cart } = await enter()
      const [line, otherLine] = [add(), add()]
      await send([line, otherLine])
      const before = await requestCart()
      if (!before.ok) throw new Error(before.errors[0])
      const changed = await send([quantity(line.lineId, 7)], 'gallery', { base: before.etag })
      if (!changed.ok || !changed.data.changes) throw new Error('the response has no changes')
      const { changes, etag } = changed.data
      expect(changed.data.cart).toBeUndefined()
      expect(changes.cartPackages).toEqual([{ lineId: line.lineId, quantity: 7 }, { lineId: otherLine.lineId }])
      const after = await cart()
      expect(withCartChanges(before.data, changes)).toEqual(after)
      expect(await requestCart('gallery', etag)).toMatchObject({ ok: false, status: notModified })
      const fromAnother = await send([quantity(line.lineId, 8)], 'gallery', { base: before.etag })
      expect(fromAnother).toMatchObject({ ok: true, data: { cart: { version: after.version + 1 } } })
    },
  ],
  [
    'requires a session, and the access code of the job',
    async (server) => {
      const { request, requestCart, send, confirm, redeem } = contractCustomer(server)
      for (const response of [await requestCart(), await send([]), await confirm(server.job.ada)])
        expect(response).toMatchObject({ status: 401, ...sessionUnknown })
      await request(openSession)
      for (const response of [await requestCart(), await send([]), await confirm(server.job.ada)])
        expect(response).toMatchObject({ status: 403, ...codeNeeded })
      const unknownJob = await request(getCart, { params: { jobId: 999_999 }, query: { orderMethod: 'gallery' } })
      expect(unknownJob).toMatchObject({ status: 404, ...notFound })
      await redeem()
      expect(await requestCart()).toMatchObject({ ok: true })
    },
  ],
  [
    'opens a job by its access code, regardless of case and spaces',
    async (server) => {
      const { redeem, requestCart } = contractCustomer(server)
      expect(await redeem('WRONG')).toMatchObject({
        status: 404,
        ...failed('not-found', 'We don’t know this code. Please check it'),
      })
      expect(await redeem('SPRING', 'nowhere')).toMatchObject({
        status: 404,
        ...failed('not-found', 'There was an error loading the studio'),
      })
      expect(await redeem('spr ing')).toMatchObject({
        ok: true,
        data: { jobId: server.job.jobId, jobName: 'Spring Portraits', subject: null },
      })
      expect(await requestCart()).toMatchObject({ ok: true })
    },
  ],
  [
    'confirms a subject with the proof of a search, and again without it',
    async (server) => {
      const { job } = server
      const { confirm, redeem } = contractCustomer(server)
      await redeem()
      expect(await confirm({ id: job.ada.id })).toMatchObject({ status: 404, ...notFound })
      expect(await confirm({ ...job.ada, proof: job.ben.proof })).toMatchObject({ status: 404, ...notFound })
      const { id } = job.ada
      const confirmed = {
        ok: true,
        data: { id, jobId: job.jobId, firstName: 'Ada', lastName: 'Lovelace', imageCount: 2 },
      }
      expect(await confirm(job.ada)).toMatchObject(confirmed)
      expect(await confirm({ id })).toMatchObject(confirmed)
    },
  ],
  [
    'returns an empty cart without an id before the first change',
    async (server) => {
      const { enter } = scenarioContext(server)
      const { cart, sync } = await enter()
      const emptyCart = { id: null, version: 0, state: 'open', cartPackages: [], subjects: [], yearBookPoses: [] }
      expect(await cart()).toMatchObject(emptyCart)
      expect((await sync([])).cart).toMatchObject(emptyCart)
      expect(await cart('prepay')).toMatchObject({ ...emptyCart, orderMethod: 'prepay' })
    },
  ],
  [
    'adds a package with the snapshot of the server’s catalogue',
    async (server) => {
      const { add, enter, job } = scenarioContext(server)
      const { cart, sync } = await enter()
      const addLine = add(job.standard, {
        quantity: 2,
        textNodes: textNodesOf(job.standard, 'Ada'),
        imageNodes: imageNodesOf(job.standard, job.ada.imageIds[0] ?? 0),
      })
      const { results, cart: nextCart } = await sync([addLine])
      expect(results).toEqual([done(addLine)])
      expect(nextCart).toMatchObject({
        jobId: job.jobId,
        orderMethod: 'gallery',
        version: 2,
        state: 'open',
        id: expect.any(Number),
      })
      expect(comparableCart(nextCart)).toEqual({
        lines: [
          {
            lineId: addLine.lineId,
            packageId: job.standard.id,
            version: 1,
            price: 25,
            quantity: 2,
            fields: [],
            texts: ['Ada'],
            imageIds: [job.ada.imageIds[0]],
          },
        ],
        firstNames: ['Ada'],
        services: [[], [], []],
        yearbookChoices: [],
      })
      expect(await cart()).toEqual(nextCart)
    },
  ],
  [
    'adds the requested package version, or the current one if that does not exist',
    async (server) => {
      const { add, accept, enter, job } = scenarioContext(server)
      const { sync } = await enter()
      const [firstLine, unknownVersion] = [add(), add(job.standard, { packageVersion: 99 })]
      const { cart } = await sync([firstLine, unknownVersion])
      expect(comparableCart(cart).lines.map(({ version, price }) => [version, price])).toEqual([
        [1, 25],
        [2, 30],
      ])
      const { results, cart: accepted } = await sync([accept(firstLine.lineId, 2)])
      expect([results[0]?.status, comparableCart(accepted).lines.map(({ price }) => price)]).toEqual(['done', [30, 30]])
    },
  ],
  [
    'increases the version by one for each change, and not for a rejected one',
    async (server) => {
      const { add, quantity, remove, enter } = scenarioContext(server)
      const { sync, cart } = await enter()
      const line = add()
      const versions = [
        (await sync([line])).cart.version,
        (await sync([quantity(line.lineId, 3), quantity(randomId(), 3)])).cart.version,
        (await sync([remove(line.lineId), remove(line.lineId)])).cart.version,
      ]
      expect([...versions, (await cart()).version]).toEqual([2, 3, 5, 5])
    },
  ],
  [
    'returns results in the order of the mutations, also of those that it cannot parse',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { sync } = await enter()
      const [firstLine, lastLine] = [add(), add()]
      const invalid = { ...add(), quantity: 'many' }
      const newerMutation = { ...add(), v: 99 }
      const { results, cart } = await sync([
        firstLine,
        invalid,
        'nonsense',
        newerMutation,
        { ...add(), surprise: true },
        lastLine,
      ])
      const invalidMessage = 'Something in this request is not valid'
      const otherVersionMessage = 'This change was made by another version of this app. Reload the page and try again'
      expect(results.slice(0, 4)).toEqual([
        done(firstLine),
        rejectedResult(invalid, 'bad-request', invalidMessage),
        rejectedResult({ id: '00000000-0000-0000-0000-000000000000' }, 'bad-request', otherVersionMessage),
        rejectedResult(newerMutation, 'bad-request', otherVersionMessage),
      ])
      expect(results.slice(4)).toMatchObject([{ problem: 'bad-request' }, done(lastLine)])
      expect([comparableCart(cart).lines.map(({ lineId }) => lineId), cart.version]).toEqual([
        [firstLine.lineId, lastLine.lineId],
        3,
      ])
    },
  ],
  [
    'applies a mutation once, however often it is sent, and returns the same result',
    async (server) => {
      const { add, quantity, enter } = scenarioContext(server)
      const { sync, cart } = await enter()
      const line = add()
      const batch = [line, quantity(line.lineId, 2), quantity(randomId(), 2)]
      const firstSync = await sync([line])
      const secondSync = await sync([...batch, line])
      const laterSync = await sync([quantity(line.lineId, 5)])
      const lastSync = await sync(batch)
      expect(secondSync.results).toEqual([
        ...firstSync.results,
        ...secondSync.results.slice(1, 3),
        ...firstSync.results,
      ])
      expect(lastSync.results).toEqual(secondSync.results.slice(0, 3))
      expect([lastSync.cart, await cart()]).toEqual([laterSync.cart, laterSync.cart])
    },
  ],
  [
    'rejects a mutation again that it rejected before, even if it would be valid now',
    async (server) => {
      const { add, enter, job } = scenarioContext(server)
      const { sync } = await enter()
      const earlyAddOn = add(job.addOn)
      const { results } = await sync([earlyAddOn])
      expect((await sync([add(), earlyAddOn])).results[1]).toEqual(results[0])
      expect((await sync([{ ...earlyAddOn, id: randomId() }])).results[0]?.status).toBe('done')
    },
  ],
  [
    'returns the recorded results of mutations sent before, and none for those it never received',
    async (server) => {
      const { add, enter, job } = scenarioContext(server)
      const { sync, request } = await enter()
      const [line, earlyAddOn, missing] = [add(), add(job.addOn), add()]
      const { results } = await sync([earlyAddOn, line])
      const sentBefore = [line.id, missing.id, earlyAddOn.id]
      const body = { orderMethod: 'gallery' as const, mutations: [], sentBefore }
      const response = await request(syncCart, { params: { jobId: job.jobId }, body })
      const sortedById = (list: readonly { id: string }[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      expect(response.ok && sortedById(response.data.results)).toEqual(sortedById(results))
    },
  ],
  [
    'rejects a mutation whose id was sent before with other content',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { sync } = await enter()
      const line = add()
      const changedLine = { ...line, quantity: 5 }
      const reused = rejectedResult(line, 'key-reused', 'This was sent before with other content')
      expect((await sync([line, changedLine])).results).toEqual([done(line), reused])
      const { results, cart } = await sync([changedLine])
      expect([results, comparableCart(cart).lines.map(({ quantity }) => quantity)]).toEqual([[reused], [1]])
    },
  ],
  [
    'has separate carts for each session and each order method',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const [firstParent, secondParent] = [await enter(), await enter()]
      const line = add()
      await firstParent.sync([line])
      expect(await secondParent.cart()).toMatchObject({ id: null, cartPackages: [] })
      expect(await firstParent.cart('prepay')).toMatchObject({ id: null, cartPackages: [] })
      const { results, cart } = await secondParent.sync([line])
      expect([results, cart.version]).toEqual([[done(line)], 2])
      expect(cart.id).not.toBe((await firstParent.cart()).id)
    },
  ],
  [
    'changes only the given parts of a line',
    async (server) => {
      const { add, customise, enter, job } = scenarioContext(server)
      const { sync } = await enter()
      const imageId = job.ada.imageIds[1] ?? 0
      const line = add(job.standard, {
        textNodes: textNodesOf(job.standard, 'Ada'),
        dataFields: [gradeField('3'), { ...gradeField('x'), name: 'Unknown field' }],
      })
      const { cart: initialCart } = await sync([line], 'prepay')
      expect(comparableCart(initialCart).lines[0]?.fields).toEqual([['Grade', '3']])
      const { cart } = await sync(
        [customise(line.lineId, { imageNodes: imageNodesOf(job.standard, imageId), dataFields: [gradeField('4')] })],
        'prepay',
      )
      expect(comparableCart(cart).lines).toMatchObject([
        { texts: ['Ada'], imageIds: [imageId], fields: [['Grade', '4']] },
      ])
      const gallerySync = await sync([add(job.standard, { dataFields: [gradeField('5')] })])
      expect(comparableCart(gallerySync.cart).lines[0]?.fields).toEqual([])
    },
  ],
  [
    'removes add-ons with the last standard package',
    async (server) => {
      const { add, quantity, clear, enter, job } = scenarioContext(server)
      const { sync } = await enter()
      const [line, other] = [add(), add()]
      await sync([line, other, add(job.addOn)])
      expect(comparableCart((await sync([quantity(line.lineId, 0)])).cart).lines).toHaveLength(2)
      expect(comparableCart((await sync([quantity(other.lineId, 0)])).cart)).toMatchObject({
        lines: [],
        firstNames: [],
      })
      await sync([line, { ...add(), id: randomId() }])
      expect(comparableCart((await sync([clear()])).cart).lines).toEqual([])
    },
  ],
  [
    'sells services at their shown prices, and removes them with the subject’s last package',
    async (server) => {
      const { add, service, remove, enter, job } = scenarioContext(server)
      const { retouch, personalization, box } = job.services
      const { sync } = await enter()
      const line = add()
      const { results, cart } = await sync([
        line,
        service(retouch),
        service(personalization, { personalization: nameAndYear('Ada') }),
        service(box, { price: 2 }),
      ])
      expect(results.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done'])
      expect(comparableCart(cart).services).toEqual([[[box, 2]], [[retouch, 8]], [[personalization, 10]]])
      const { id: _, do: __, personalization: ___, price: ____, ...key } = service(box)
      const afterRemoval = await sync([stampedMutation({ do: 'service.remove', ...key })])
      expect(comparableCart(afterRemoval.cart).services).toEqual([[], [[retouch, 8]], [[personalization, 10]]])
      expect(comparableCart((await sync([remove(line.lineId)])).cart).services).toEqual([[], [], []])
    },
  ],
  [
    'gives a typed subject an id, and finds it by the device’s id, also after a rename',
    async (server) => {
      const { add, person, enter } = scenarioContext(server)
      const { sync } = await enter()
      const personId = randomId()
      const owner = { subjectId: null, personId }
      const { cart } = await sync([person(personId, ' Bo '), add(undefined, owner)], 'prepay')
      expect(cart.cartPackages).toMatchObject([{ personId, subjectId: expect.any(Number) }])
      expect(comparableCart(cart).firstNames).toEqual(['Bo'])
      const renamed = await sync([person(personId, 'Bodil'), add(undefined, owner)], 'prepay')
      expect(renamed.cart.subjects).toMatchObject([{ firstName: 'Bodil', lastName: 'Ek', personId }])
      expect(new Set(renamed.cart.cartPackages.map(({ subjectId }) => subjectId)).size).toBe(1)
    },
  ],
  [
    'stores the last chosen yearbook image, also while the cart is paid for',
    async (server) => {
      const { add, chooseImage, enter, job } = scenarioContext(server)
      const { sync, setState } = await enter()
      const [firstImageId = 0, secondImageId = 0] = job.ada.imageIds
      expect(comparableCart((await sync([add(), chooseImage(job.ada.id, firstImageId)])).cart).yearbookChoices).toEqual(
        [{ subjectId: job.ada.id, imageId: firstImageId }],
      )
      await setState('gallery', 'frozen')
      expect(comparableCart((await sync([chooseImage(job.ada.id, secondImageId)])).cart).yearbookChoices).toEqual([
        { subjectId: job.ada.id, imageId: secondImageId },
      ])
    },
  ],
  [
    'rejects changes while a cart is paid for, and starts a new cart once it is ordered',
    async (server) => {
      const { add, quantity, enter } = scenarioContext(server)
      const { sync, cart, setState } = await enter()
      const line = add()
      const { cart: initialCart } = await sync([line])
      await setState('gallery', 'frozen')
      const change = quantity(line.lineId, 2)
      const frozen = await sync([change])
      expect(frozen.results).toEqual([
        rejectedResult(
          change,
          'cart-closed',
          'This cart is being paid for. You can’t change it until the payment is finished',
        ),
      ])
      expect(frozen.cart).toMatchObject({ id: initialCart.id, state: 'frozen', version: initialCart.version + 1 })
      await setState('gallery', 'ordered')
      expect(await cart()).toMatchObject({ id: null, version: 0, state: 'open', cartPackages: [] })
      const nextLine = add()
      const { results, cart: nextCart } = await sync([line, nextLine])
      expect([results, comparableCart(nextCart).lines.map(({ lineId }) => lineId)]).toEqual([
        [done(line), done(nextLine)],
        [nextLine.lineId],
      ])
      expect(nextCart).toMatchObject({ version: 2, state: 'open' })
      expect(nextCart.id).not.toBe(initialCart.id)
    },
  ],
  [
    'returns the ordered carts, and rejects changes that were meant for one of them',
    async (server) => {
      const { add, quantity, chooseImage, enter, job } = scenarioContext(server)
      const { sync, cart, setState } = await enter()
      const line = add()
      const { cart: firstCart } = await sync([line])
      expect(firstCart.orderedCarts).toBeUndefined()
      await setState('gallery', 'ordered')
      const orderedIds = (cartWithOrders: Cart) => cartWithOrders.orderedCarts?.map(({ cartId }) => cartId)
      expect(orderedIds(await cart())).toEqual([firstCart.id])
      const message = 'This cart has been ordered. Start a new one to add more.'
      const [image = 0] = job.ada.imageIds
      const [lateLine, change, lateChoice] = [add(), quantity(line.lineId, 2), chooseImage(job.ada.id, image)]
      const { results, cart: currentCart } = await sync(
        [line, lateLine, change, lateChoice],
        'gallery',
        firstCart.id ?? 0,
      )
      expect(results).toEqual([
        done(line),
        rejectedResult(lateLine, 'cart-closed', message),
        rejectedResult(change, 'cart-closed', message),
        done(lateChoice),
      ])
      expect([orderedIds(currentCart), currentCart.cartPackages]).toEqual([[firstCart.id], []])
      const next = await sync([add()], 'gallery', currentCart.id ?? undefined)
      await setState('gallery', 'ordered')
      expect(new Set(orderedIds(await cart()))).toEqual(new Set([next.cart.id, firstCart.id]))
      expect((await cart('prepay')).orderedCarts).toBeUndefined()
      // A cart that the server does not know was lost, not ordered, so its changes are applied.
      const { results: applied } = await sync([lateLine], 'gallery', 123_456)
      expect(applied).toEqual([done(lateLine)])
    },
  ],
  [
    'accepts two hundred lines in a cart, and no more',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { sync } = await enter()
      const lines = Array.from({ length: 200 }, () => add())
      const { results } = await sync(lines)
      expect(results.every(({ status }) => status === 'done')).toBe(true)
      const extraLine = add()
      const {
        results: [lastResult],
        cart,
      } = await sync([extraLine])
      expect(lastResult).toEqual(
        rejectedResult(extraLine, 'cart-full', 'A cart holds 200 items at most. Order these first, then start another'),
      )
      expect(cart).toMatchObject({ version: 201, cartPackages: { length: 200 } })
    },
  ],
  [
    'responds 400 to invalid requests',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { request, send } = await enter()
      const { jobId } = server.job
      const tooMany = Array.from({ length: maxMutationsPerSync + 1 }, () => 'nonsense')
      expect(await send(tooMany)).toMatchObject({ status: 400, ...badRequest })
      expect(await send([add()], 'later' as OrderMethod)).toMatchObject({ status: 400, ...badRequest })
      expect(
        await request(getCart, { params: { jobId }, query: { orderMethod: 'later' as OrderMethod } }),
      ).toMatchObject({
        status: 400,
        ...badRequest,
      })
      expect(await request(confirmSubject, { params: { jobId }, body: { subjectId: 'Ada' as never } })).toMatchObject({
        status: 400,
        ...badRequest,
      })
    },
  ],
  [
    'accepts an idempotency key for one content only, and repeats the response of the same request',
    async (server) => {
      const { add, enter, job } = scenarioContext(server)
      const { request } = await enter()
      const send = (mutations: unknown[], idempotencyKey: string) =>
        request(syncCart, { params: { jobId: job.jobId }, body: { orderMethod: 'gallery', mutations }, idempotencyKey })
      const [line, key] = [add(), randomId()]
      const responses = await Promise.all([send([line], key), send([line], key)])
      const statuses = responses.map(({ status }) => status).sort()
      expect([
        [200, 200],
        [200, 409],
      ]).toContainEqual(statuses)
      const repeated = await send([line], key)
      expect(repeated).toMatchObject({ ok: true, data: { results: [done(line)], cart: { version: 2 } } })
      expect(await send([add()], key)).toMatchObject({
        status: 422,
        ...failed('key-reused', 'This was sent before with other content'),
      })
    },
  ],
  [
    'requires code and confirmation again after sessions were deleted',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const customer = await enter()
      const line = add()
      const { cart: initialCart } = await customer.sync([line])
      await server.deleteSessions()
      expect(await customer.send([line])).toMatchObject({ status: 401, ...sessionUnknown })
      expect(await customer.request(openSession)).toMatchObject({ ok: true, data: { created: true } })
      expect(await customer.send([line])).toMatchObject({ status: 403, ...codeNeeded })
      await customer.redeem()
      expect((await customer.sync([line])).results).toMatchObject([{ problem: 'grant-needed' }])
      await customer.confirm(server.job.ada)
      const resentLine = { ...line, id: randomId() }
      const { results, cart } = await customer.sync([resentLine])
      expect([results, comparableCart(cart).lines.map(({ lineId }) => lineId)]).toEqual([
        [done(resentLine)],
        [line.lineId],
      ])
      expect(cart.id).not.toBe(initialCart.id)
    },
  ],
  [
    'requires confirmation again for changes of content, but not of quantities, after confirmed subjects were deleted',
    async (server) => {
      const { add, quantity, customise, remove, service, enter, job } = scenarioContext(server)
      const { sync, confirm } = await enter()
      const [line, other] = [add(), add()]
      await sync([line, other])
      await server.deleteConfirmedSubjects()
      const needingConfirmation = [add(), customise(line.lineId, {}), service(job.services.box)]
      const { results } = await sync([...needingConfirmation, quantity(line.lineId, 3), remove(other.lineId)])
      expect(results.map(({ problem, status }) => problem ?? status)).toEqual([
        'grant-needed',
        'grant-needed',
        'grant-needed',
        'done',
        'done',
      ])
      expect(await confirm(job.ada)).toMatchObject({ ok: true })
      expect((await sync([add()])).results).toMatchObject([{ status: 'done' }])
    },
  ],
  [
    'rejects each invalid mutation with its problem and message, and changes nothing',
    async (server) => {
      for (const [name, prepare, problem, message] of rejectionCases) {
        const { before = [], mutation, orderMethod = 'gallery' } = prepare(scenarioContext(server))
        const { sync, cart } = await scenarioContext(server).enter()
        const { results: resultsBefore, cart: cartBefore } = await sync(before, orderMethod)
        expect(resultsBefore, name).toEqual(before.map(done))
        const { results } = await sync([mutation], orderMethod)
        expect(results, name).toEqual([rejectedResult(mutation, problem, message)])
        expect(comparableCart(await cart(orderMethod)), name).toEqual(comparableCart(cartBefore))
      }
    },
  ],
]
