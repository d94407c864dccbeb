import { expect } from 'vitest'
import { getCart, maxMutationsPerSync, syncCart } from '#contract/customer/cart-calls.ts'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { type Change, type LineContent, type Mutation, stampChange } from '#domain/cart/mutation.ts'
import type { OrderMethod, Package } from '#domain/catalogue/catalogue.ts'
import { randomId } from '#local/outbox/device-stamp.ts'
import type { RequestFunction, Transport } from '#local/transport/request.ts'
import { nameAndYear } from '../../domain/cart/order-service-fixtures.ts'

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
  gone: Package
  services: { retouch: number; personalization: number; box: number }
}

/** A browser with its own cookies, and server-side operations on its session. */
export type ContractBrowser = {
  request: RequestFunction
  send: Transport
  setState: (orderMethod: OrderMethod, state: Cart['state']) => Promise<void>
}

/** A cart server created for one test. Its job takes orders both ways and asks for the grade in prepay. */
export type CartServer = {
  job: ContractJob
  newBrowser: () => ContractBrowser
  /** Deletes all sessions. */
  deleteSessions: () => Promise<void>
  /** Deletes which subjects each session confirmed. */
  deleteConfirmedSubjects: () => Promise<void>
}

type Result = { id: string; status: string; problem?: string; errors?: string[] }

const stampedMutation = <What extends Change['do']>(change: Change & { do: What }): Mutation & { do: What } =>
  stampChange(change, { now: () => '2027-04-15T09:00:00.000Z', newId: randomId }) as Mutation & { do: What } // the type it was created from

const emptyContent: LineContent = { greenScreenBackgroundId: null, dataFields: [], textNodes: [], imageNodes: [] }

const choice = (nodeId: number, subjectImageId: number) => ({
  ...{ packageItemImageNodeId: nodeId, subjectImageId, groupImageId: null, replacementImageId: null },
  ...{ cropDimensions: null, frontendCropDimensions: null, rotation: 0 },
})

const textNodesOf = ({ items }: Package, value: string) =>
  items.flatMap((item) => item.textNodes.map((node) => ({ packageItemTextNodeId: node.id, value, autoFilled: false })))

const imageNodesOf = ({ items }: Package, imageId: number) =>
  items.flatMap((item) => item.imageNodes.map((node) => choice(node.id, imageId)))

const grade = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })

/** Calls of a customer whose browser has no session yet. */
const contractCustomer = ({ job: shop, newBrowser }: CartServer) => {
  const { jobId, slug } = shop
  const browser = newBrowser()
  const { request: ask } = browser
  const redeem = (code = 'SPRING', of = slug) => ask(redeemCode, { params: { slug: of }, query: { code } })
  const confirm = ({ id, proof }: { id: number; proof?: string }) =>
    ask(confirmSubject, { params: { jobId }, body: { subjectId: id, ...(proof !== undefined && { proof }) } })
  const look = (orderMethod: OrderMethod = 'gallery') => ask(getCart, { params: { jobId }, query: { orderMethod } })
  const send = (mutations: readonly unknown[], orderMethod: OrderMethod = 'gallery', cartId?: number) =>
    ask(syncCart, { params: { jobId }, body: { orderMethod, mutations: [...mutations], ...(cartId && { cartId }) } })
  const cart = async (orderMethod: OrderMethod = 'gallery'): Promise<Cart> => {
    const looked = await look(orderMethod)
    if (!looked.ok) throw new Error(looked.errors[0])
    return looked.data
  }
  const sync = async (mutations: readonly unknown[], orderMethod: OrderMethod = 'gallery', cartId?: number) => {
    const sent = await send(mutations, orderMethod, cartId)
    if (!sent.ok) throw new Error(`${sent.status}: ${sent.errors[0]}`)
    const { results, cart: found } = sent.data
    return { results: results as Result[], cart: found }
  }
  return { ...browser, redeem, confirm, look, send, cart, sync }
}

/** Builds mutations for the server's job, for Ada unless another subject is given. */
const mutationBuilders = ({ job: shop }: CartServer) => {
  const add = (of: Package = shop.standard, own: Partial<Mutation & { do: 'line.add' }> = {}) =>
    stampedMutation({
      ...({ do: 'line.add', lineId: randomId(), packageId: of.id, packageVersion: of.version, quantity: 1 } as const),
      ...{ subjectId: shop.ada.id, personId: null },
      ...emptyContent,
      ...own,
    })
  const service = (orderServiceId: number, own: Partial<Mutation & { do: 'service.set' }> = {}) =>
    stampedMutation({
      ...({ do: 'service.set', orderServiceId, subjectId: shop.ada.id, personId: null, imageLookupId: null } as const),
      ...{ personalization: null, price: null },
      ...own,
    })
  const person = (personId: string, firstName: string, own: Partial<Mutation & { do: 'person.set' }> = {}) =>
    stampedMutation({ do: 'person.set', personId, firstName, lastName: 'Ek', dataFields: [], ...own })
  const quantity = (lineId: string, count: number) => stampedMutation({ do: 'line.quantity', lineId, quantity: count })
  const remove = (lineId: string) => stampedMutation({ do: 'line.remove', lineId })
  const customise = (lineId: string, own: Partial<LineContent>) =>
    stampedMutation({ do: 'line.customise', lineId, ...emptyContent, ...own })
  const accept = (lineId: string, packageVersion: number) =>
    stampedMutation({ do: 'line.accept', lineId, packageVersion })
  const pose = (subjectId: number, imageId: number) => stampedMutation({ do: 'pose.set', subjectId, imageId })
  const clear = () => stampedMutation({ do: 'cart.clear' })
  return { add, service, person, quantity, remove, customise, accept, pose, clear }
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
    pictures: line.cartPackageItems.flatMap((item) => item.imageNodes.map((node) => node.subjectImageId)),
  })),
  people: subjects.map(({ firstName }) => firstName),
  services: [services.cartOrderServices, services.retouches, services.personalizations].map((some) =>
    some.map(({ orderServiceId, price }) => [orderServiceId, price]),
  ),
  poses: yearBookPoses,
})

const failed = (problem: string, sentence: string) => ({ ok: false, problem, errors: [sentence] })
const done = ({ id }: Mutation) => ({ id, status: 'done' })
const rejectedResult = ({ id }: { id: string }, problem: string, sentence: string) => ({
  id,
  status: 'refused',
  problem,
  errors: [sentence],
})

const sessionUnknown = failed('session-unknown', 'This visit is no longer known here. Please enter the code again')
const codeNeeded = failed('code-needed', 'Please enter the event’s code first')
const notFound = failed('not-found', 'We could not find this')
const badRequest = failed('bad-request', 'Something in this request is not as it should be')

/** A cart server with a new customer and the mutation builders. */
type ScenarioContext = CartServer & ReturnType<typeof mutationBuilders> & { enter: () => Promise<ContractCustomer> }
type ContractCustomer = ReturnType<typeof contractCustomer>

const scenarioContext = (server: CartServer): ScenarioContext => ({
  ...server,
  ...mutationBuilders(server),
  enter: async () => {
    const parent = contractCustomer(server)
    await parent.redeem()
    await parent.confirm(server.job.ada)
    return parent
  },
})

/** A rejection: mutations sent before, the rejected mutation, and the expected problem. */
type RejectionCase = [
  name: string,
  tell: (at: ScenarioContext) => { before?: Mutation[]; told: Mutation; orderMethod?: OrderMethod },
  problem: string,
  sentence: string,
]

const grantNeeded = ['grant-needed', 'Please choose and confirm this person first'] as const
const lineUnknown = ['line-unknown', 'That item is not in this cart'] as const
const imageWithdrawn = ['picture-gone', 'This picture is not available any more. Please choose another one'] as const

const rejectionCases: RejectionCase[] = [
  [
    'a package for somebody not confirmed',
    (at) => ({ told: at.add(undefined, { subjectId: at.job.ben.id }) }),
    ...grantNeeded,
  ],
  [
    'a package for somebody there is none of',
    (at) => ({ told: at.add(undefined, { subjectId: 999_999 }) }),
    ...grantNeeded,
  ],
  [
    'a package for somebody nobody typed in',
    (at) => ({ told: at.add(undefined, { subjectId: null, personId: randomId() }) }),
    ...grantNeeded,
  ],
  [
    'a package for nobody',
    (at) => ({ told: at.add(undefined, { subjectId: null }) }),
    'subject-missing',
    'An error occurred',
  ],
  [
    'a package that is gone',
    (at) => ({ told: at.add(at.job.gone) }),
    'package-gone',
    'This package is not on offer any more',
  ],
  [
    'none of a package',
    (at) => ({ told: at.add(undefined, { quantity: 0 }) }),
    'quantity-invalid',
    'Choose a whole number from 0 to 99',
  ],
  [
    'an add-on without what carries it',
    (at) => ({ told: at.add(at.job.addOn) }),
    'add-on-needs-standard',
    'This add-on needs a package in the cart that allows it',
  ],
  [
    'a text nobody has a place for',
    (at) => ({
      told: at.add(undefined, { textNodes: [{ packageItemTextNodeId: 999_999, value: 'Ada', autoFilled: false }] }),
    }),
    'node-unknown',
    'That choice does not belong to this package any more',
  ],
  [
    'letters that do not print',
    (at) => ({ told: at.add(undefined, { textNodes: textNodesOf(at.job.standard, 'Ada 😀') }) }),
    'letters-lacking',
    'The print can’t show “😀”. Please write it without',
  ],
  [
    'another one’s picture',
    (at) => ({ told: at.add(undefined, { imageNodes: imageNodesOf(at.job.standard, at.job.ben.imageId) }) }),
    ...imageWithdrawn,
  ],
  [
    'a background that is gone',
    (at) => ({ told: at.add(undefined, { greenScreenBackgroundId: 999_999 }) }),
    'background-gone',
    'This background is not available any more. Please choose another one',
  ],
  ['a number of what is not there', (at) => ({ told: at.quantity(randomId(), 2) }), ...lineUnknown],
  ['an edit of what is not there', (at) => ({ told: at.customise(randomId(), {}) }), ...lineUnknown],
  ['the new version of what is not there', (at) => ({ told: at.accept(randomId(), 1) }), ...lineUnknown],
  [
    'an edit with another one’s picture',
    (at) => {
      const before = at.add()
      const imageNodes = imageNodesOf(at.job.standard, at.job.ben.imageId)
      return { before: [before], told: at.customise(before.lineId, { imageNodes }) }
    },
    ...imageWithdrawn,
  ],
  [
    'a service for somebody not confirmed',
    (at) => ({ told: at.service(at.job.services.box, { subjectId: at.job.ben.id }) }),
    ...grantNeeded,
  ],
  [
    'a service there is none of',
    (at) => ({ before: [at.add()], told: at.service(999_999) }),
    'service-gone',
    'This service is not on offer any more',
  ],
  [
    'a service without a package',
    (at) => ({ told: at.service(at.job.services.box) }),
    'service-needs-package',
    'Choose a package for this person first',
  ],
  [
    'a picture to retouch where the whole person is',
    (at) => ({
      before: [at.add()],
      told: at.service(at.job.services.retouch, { imageLookupId: at.job.ada.imageIds[0] ?? 0 }),
    }),
    'retouch-picture',
    'Choose the picture to retouch',
  ],
  [
    'another one’s picture to retouch',
    (at) => ({
      before: [at.add()],
      told: at.service(at.job.services.retouch, { imageLookupId: at.job.ben.imageId }),
    }),
    ...imageWithdrawn,
  ],
  [
    'nothing to print',
    (at) => ({
      before: [at.add()],
      told: at.service(at.job.services.personalization, { personalization: nameAndYear('') }),
    }),
    'personalization-empty',
    'Type what to print, and choose what to print it on',
  ],
  [
    'a name that does not print',
    (at) => ({
      before: [at.add()],
      told: at.service(at.job.services.personalization, { personalization: nameAndYear('😀') }),
    }),
    'letters-lacking',
    'The print can’t show “😀”. Please write it without',
  ],
  [
    'somebody typed in where the studio has a list',
    (at) => ({ told: at.person(randomId(), 'Bo') }),
    'person-listed',
    'The studio has a list of everybody at this event. Please find this person in it',
  ],
  [
    'somebody without a name',
    (at) => ({ told: at.person(randomId(), ' '), orderMethod: 'prepay' }),
    'name-missing',
    'Type the first and the last name',
  ],
  [
    'one person more than a family has',
    (at) => ({
      before: Array.from({ length: 20 }, () => at.person(randomId(), 'Bo')),
      told: at.person(randomId(), 'Bo'),
      orderMethod: 'prepay',
    }),
    'people-full',
    'Too many people were typed in here. Order for these first',
  ],
  ['a pose of somebody not confirmed', (at) => ({ told: at.pose(at.job.ben.id, at.job.ben.imageId) }), ...grantNeeded],
  [
    'a pose in another one’s picture',
    (at) => ({ told: at.pose(at.job.ada.id, at.job.ben.imageId) }),
    ...imageWithdrawn,
  ],
]

/** What a cart server promises a device, as one table. Runs against the product's server and against the model server. */
export const scenarios: [name: string, run: (server: CartServer) => Promise<void>][] = [
  [
    'opens a session once',
    async (server) => {
      const { request: ask } = server.newBrowser()
      expect([await ask(openSession), await ask(openSession)]).toMatchObject([
        { ok: true, data: { created: true } },
        { ok: true, data: { created: false } },
      ])
    },
  ],
  [
    'knows nobody without a session, and no job without its code',
    async (server) => {
      const { request: ask, look, send, confirm, redeem } = contractCustomer(server)
      for (const one of [await look(), await send([]), await confirm(server.job.ada)])
        expect(one).toMatchObject({ status: 401, ...sessionUnknown })
      await ask(openSession)
      for (const one of [await look(), await send([]), await confirm(server.job.ada)])
        expect(one).toMatchObject({ status: 403, ...codeNeeded })
      const elsewhere = await ask(getCart, { params: { jobId: 999_999 }, query: { orderMethod: 'gallery' } })
      expect(elsewhere).toMatchObject({ status: 404, ...notFound })
      await redeem()
      expect(await look()).toMatchObject({ ok: true })
    },
  ],
  [
    'opens a job to whoever has the code, however it was typed',
    async (server) => {
      const { redeem, look } = contractCustomer(server)
      expect(await redeem('WRONG')).toMatchObject({
        status: 404,
        ...failed('not-found', 'We do not know this code. Please look at it again'),
      })
      expect(await redeem('SPRING', 'nowhere')).toMatchObject({
        status: 404,
        ...failed('not-found', 'There was an error loading the studio'),
      })
      expect(await redeem('spr ing')).toMatchObject({
        ok: true,
        data: { jobId: server.job.jobId, jobName: 'Spring Portraits', subject: null },
      })
      expect(await look()).toMatchObject({ ok: true })
    },
  ],
  [
    'confirms who was found, and whom it knows to be confirmed',
    async (server) => {
      const { job: shop } = server
      const { confirm, redeem } = contractCustomer(server)
      await redeem()
      expect(await confirm({ id: shop.ada.id })).toMatchObject({ status: 404, ...notFound })
      expect(await confirm({ ...shop.ada, proof: shop.ben.proof })).toMatchObject({ status: 404, ...notFound })
      const { id } = shop.ada
      const found = { ok: true, data: { id, jobId: shop.jobId, firstName: 'Ada', lastName: 'Lovelace', imageCount: 2 } }
      expect(await confirm(shop.ada)).toMatchObject(found)
      expect(await confirm({ id })).toMatchObject(found)
    },
  ],
  [
    'has no cart before the first change',
    async (server) => {
      const { enter } = scenarioContext(server)
      const { cart, sync } = await enter()
      const empty = { id: null, version: 0, state: 'open', cartPackages: [], subjects: [], yearBookPoses: [] }
      expect(await cart()).toMatchObject(empty)
      expect((await sync([])).cart).toMatchObject(empty)
      expect(await cart('prepay')).toMatchObject({ ...empty, orderMethod: 'prepay' })
    },
  ],
  [
    'takes a package, from its own catalogue',
    async (server) => {
      const { add, enter, job: shop } = scenarioContext(server)
      const { cart, sync } = await enter()
      const told1 = add(shop.standard, {
        quantity: 2,
        textNodes: textNodesOf(shop.standard, 'Ada'),
        imageNodes: imageNodesOf(shop.standard, shop.ada.imageIds[0] ?? 0),
      })
      const { results, cart: after } = await sync([told1])
      expect(results).toEqual([done(told1)])
      expect(after).toMatchObject({
        jobId: shop.jobId,
        orderMethod: 'gallery',
        version: 2,
        state: 'open',
        id: expect.any(Number),
      })
      expect(comparableCart(after)).toEqual({
        lines: [
          {
            lineId: told1.lineId,
            packageId: shop.standard.id,
            version: 1,
            price: 25,
            quantity: 2,
            fields: [],
            texts: ['Ada'],
            pictures: [shop.ada.imageIds[0]],
          },
        ],
        people: ['Ada'],
        services: [[], [], []],
        poses: [],
      })
      expect(await cart()).toEqual(after)
    },
  ],
  [
    'sells the version that was shown, or today’s where it has that no more',
    async (server) => {
      const { add, accept, enter, job: shop } = scenarioContext(server)
      const { sync } = await enter()
      const [first, unknown] = [add(), add(shop.standard, { packageVersion: 99 })]
      const { cart } = await sync([first, unknown])
      expect(comparableCart(cart).lines.map(({ version, price }) => [version, price])).toEqual([
        [1, 25],
        [2, 30],
      ])
      const { results, cart: accepted } = await sync([accept(first.lineId, 2)])
      expect([results[0]?.status, comparableCart(accepted).lines.map(({ price }) => price)]).toEqual(['done', [30, 30]])
    },
  ],
  [
    'counts one version for each change, and none for what it refuses',
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
    'answers in the order it was told, of what it cannot read too',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { sync } = await enter()
      const [first, last] = [add(), add()]
      const bad = { ...add(), quantity: 'many' }
      const newer = { ...add(), v: 99 }
      const { results, cart } = await sync([first, bad, 'nonsense', newer, { ...add(), surprise: true }, last])
      const unreadable = 'Something in this request is not as it should be'
      const otherVersion = 'This change was made by another version of this app. Reload the page and try again'
      expect(results.slice(0, 4)).toEqual([
        done(first),
        rejectedResult(bad, 'bad-request', unreadable),
        rejectedResult({ id: '00000000-0000-0000-0000-000000000000' }, 'bad-request', otherVersion),
        rejectedResult(newer, 'bad-request', otherVersion),
      ])
      expect(results.slice(4)).toMatchObject([{ problem: 'bad-request' }, done(last)])
      expect([comparableCart(cart).lines.map(({ lineId }) => lineId), cart.version]).toEqual([
        [first.lineId, last.lineId],
        3,
      ])
    },
  ],
  [
    'does what it was told once, however often it is told, and answers alike',
    async (server) => {
      const { add, quantity, enter } = scenarioContext(server)
      const { sync, cart } = await enter()
      const line = add()
      const batch = [line, quantity(line.lineId, 2), quantity(randomId(), 2)]
      const first = await sync([line])
      const again = await sync([...batch, line])
      const later = await sync([quantity(line.lineId, 5)])
      const last = await sync(batch)
      expect(again.results).toEqual([...first.results, ...again.results.slice(1, 3), ...first.results])
      expect(last.results).toEqual(again.results.slice(0, 3))
      expect([last.cart, await cart()]).toEqual([later.cart, later.cart])
    },
  ],
  [
    'remembers what it refused',
    async (server) => {
      const { add, enter, job: shop } = scenarioContext(server)
      const { sync } = await enter()
      const early = add(shop.addOn)
      const { results } = await sync([early])
      expect((await sync([add(), early])).results[1]).toEqual(results[0])
      expect((await sync([{ ...early, id: randomId() }])).results[0]?.status).toBe('done')
    },
  ],
  [
    'takes an id for one content only',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { sync } = await enter()
      const line = add()
      const other = { ...line, quantity: 5 }
      const reused = rejectedResult(line, 'key-reused', 'This was sent before with other content')
      expect((await sync([line, other])).results).toEqual([done(line), reused])
      const { results, cart } = await sync([other])
      expect([results, comparableCart(cart).lines.map(({ quantity }) => quantity)]).toEqual([[reused], [1]])
    },
  ],
  [
    'holds each visit’s carts apart, and the two ways of ordering',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const [one, other] = [await enter(), await enter()]
      const line = add()
      await one.sync([line])
      expect(await other.cart()).toMatchObject({ id: null, cartPackages: [] })
      expect(await one.cart('prepay')).toMatchObject({ id: null, cartPackages: [] })
      const { results, cart } = await other.sync([line])
      expect([results, cart.version]).toEqual([[done(line)], 2])
      expect(cart.id).not.toBe((await one.cart()).id)
    },
  ],
  [
    'changes a line: what is not spoken of stays',
    async (server) => {
      const { add, customise, enter, job: shop } = scenarioContext(server)
      const { sync } = await enter()
      const picture = shop.ada.imageIds[1] ?? 0
      const line = add(shop.standard, {
        textNodes: textNodesOf(shop.standard, 'Ada'),
        dataFields: [grade('3'), { ...grade('x'), name: 'Nobody asks' }],
      })
      const { cart: before } = await sync([line], 'prepay')
      expect(comparableCart(before).lines[0]?.fields).toEqual([['Grade', '3']])
      const { cart } = await sync(
        [customise(line.lineId, { imageNodes: imageNodesOf(shop.standard, picture), dataFields: [grade('4')] })],
        'prepay',
      )
      expect(comparableCart(cart).lines).toMatchObject([
        { texts: ['Ada'], pictures: [picture], fields: [['Grade', '4']] },
      ])
      const asked = await sync([add(shop.standard, { dataFields: [grade('5')] })])
      expect(comparableCart(asked.cart).lines[0]?.fields).toEqual([])
    },
  ],
  [
    'lets add-ons fall with what carries them',
    async (server) => {
      const { add, quantity, clear, enter, job: shop } = scenarioContext(server)
      const { sync } = await enter()
      const [line, other] = [add(), add()]
      await sync([line, other, add(shop.addOn)])
      expect(comparableCart((await sync([quantity(line.lineId, 0)])).cart).lines).toHaveLength(2)
      expect(comparableCart((await sync([quantity(other.lineId, 0)])).cart)).toMatchObject({ lines: [], people: [] })
      await sync([line, { ...add(), id: randomId() }])
      expect(comparableCart((await sync([clear()])).cart).lines).toEqual([])
    },
  ],
  [
    'sells services at what they were shown to cost, until the last package of theirs goes',
    async (server) => {
      const { add, service, remove, enter, job: shop } = scenarioContext(server)
      const { retouch, personalization, box } = shop.services
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
      const without = await sync([stampedMutation({ do: 'service.remove', ...key })])
      expect(comparableCart(without.cart).services).toEqual([[], [[retouch, 8]], [[personalization, 10]]])
      expect(comparableCart((await sync([remove(line.lineId)])).cart).services).toEqual([[], [], []])
    },
  ],
  [
    'knows who was typed in by the device’s name and its own',
    async (server) => {
      const { add, person, enter } = scenarioContext(server)
      const { sync } = await enter()
      const personId = randomId()
      const owner = { subjectId: null, personId }
      const { cart } = await sync([person(personId, ' Bo '), add(undefined, owner)], 'prepay')
      expect(cart.cartPackages).toMatchObject([{ personId, subjectId: expect.any(Number) }])
      expect(comparableCart(cart).people).toEqual(['Bo'])
      const renamed = await sync([person(personId, 'Bodil'), add(undefined, owner)], 'prepay')
      expect(renamed.cart.subjects).toMatchObject([{ firstName: 'Bodil', lastName: 'Ek', personId }])
      expect(new Set(renamed.cart.cartPackages.map(({ subjectId }) => subjectId)).size).toBe(1)
    },
  ],
  [
    'keeps the pose that was chosen last, of a cart that is paid for too',
    async (server) => {
      const { add, pose, enter, job: shop } = scenarioContext(server)
      const { sync, setState } = await enter()
      const [one = 0, other = 0] = shop.ada.imageIds
      expect(comparableCart((await sync([add(), pose(shop.ada.id, one)])).cart).poses).toEqual([
        { subjectId: shop.ada.id, imageId: one },
      ])
      await setState('gallery', 'frozen')
      expect(comparableCart((await sync([pose(shop.ada.id, other)])).cart).poses).toEqual([
        { subjectId: shop.ada.id, imageId: other },
      ])
    },
  ],
  [
    'takes no change while a cart is paid for, and the next cart’s once it is ordered',
    async (server) => {
      const { add, quantity, enter } = scenarioContext(server)
      const { sync, cart, setState } = await enter()
      const line = add()
      const { cart: before } = await sync([line])
      await setState('gallery', 'frozen')
      const change = quantity(line.lineId, 2)
      const frozen = await sync([change])
      expect(frozen.results).toEqual([
        rejectedResult(change, 'cart-closed', 'This cart is being paid for. Wait for that to end before you change it'),
      ])
      expect(frozen.cart).toMatchObject({ id: before.id, state: 'frozen', version: before.version + 1 })
      await setState('gallery', 'ordered')
      expect(await cart()).toMatchObject({ id: null, version: 0, state: 'open', cartPackages: [] })
      const next = add()
      const { results, cart: after } = await sync([line, next])
      expect([results, comparableCart(after).lines.map(({ lineId }) => lineId)]).toEqual([
        [done(line), done(next)],
        [next.lineId],
      ])
      expect(after).toMatchObject({ version: 2, state: 'open' })
      expect(after.id).not.toBe(before.id)
    },
  ],
  [
    'tells which carts were ordered, and puts nothing that was meant for one of them into the next',
    async (server) => {
      const { add, quantity, pose, enter, job: shop } = scenarioContext(server)
      const { sync, cart, setState } = await enter()
      const line = add()
      const { cart: first } = await sync([line])
      expect(first.orderedCarts).toBeUndefined()
      await setState('gallery', 'ordered')
      const orderedIds = (found: Cart) => found.orderedCarts?.map(({ cartId }) => cartId)
      expect(orderedIds(await cart())).toEqual([first.id])
      const sentence = 'This cart has been ordered. Start a new one to add more.'
      const [image = 0] = shop.ada.imageIds
      const [late, change, chosen] = [add(), quantity(line.lineId, 2), pose(shop.ada.id, image)]
      const { results, cart: found } = await sync([line, late, change, chosen], 'gallery', first.id ?? 0)
      expect(results).toEqual([
        done(line),
        rejectedResult(late, 'cart-closed', sentence),
        rejectedResult(change, 'cart-closed', sentence),
        done(chosen),
      ])
      expect([orderedIds(found), found.cartPackages]).toEqual([[first.id], []])
      const next = await sync([add()], 'gallery', found.id ?? undefined)
      await setState('gallery', 'ordered')
      expect(new Set(orderedIds(await cart()))).toEqual(new Set([next.cart.id, first.id]))
      expect((await cart('prepay')).orderedCarts).toBeUndefined()
      // A cart the server does not know was lost, not ordered.
      const { results: taken } = await sync([late], 'gallery', 123_456)
      expect(taken).toEqual([done(late)])
    },
  ],
  [
    'holds two hundred lines',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { sync } = await enter()
      const lines = Array.from({ length: 200 }, () => add())
      const { results } = await sync(lines)
      expect(results.every(({ status }) => status === 'done')).toBe(true)
      const more = add()
      const {
        results: [last],
        cart,
      } = await sync([more])
      expect(last).toEqual(
        rejectedResult(more, 'cart-full', 'A cart holds 200 items at most. Order these first, then start another'),
      )
      expect(cart).toMatchObject({ version: 201, cartPackages: { length: 200 } })
    },
  ],
  [
    'reads no request that is not as it should be',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const { request: ask, send } = await enter()
      const { jobId } = server.job
      const most = Array.from({ length: maxMutationsPerSync + 1 }, () => 'nonsense')
      expect(await send(most)).toMatchObject({ status: 400, ...badRequest })
      expect(await send([add()], 'later' as OrderMethod)).toMatchObject({ status: 400, ...badRequest })
      expect(await ask(getCart, { params: { jobId }, query: { orderMethod: 'later' as OrderMethod } })).toMatchObject({
        status: 400,
        ...badRequest,
      })
      expect(await ask(confirmSubject, { params: { jobId }, body: { subjectId: 'Ada' as never } })).toMatchObject({
        status: 400,
        ...badRequest,
      })
    },
  ],
  [
    'takes a key for one request only, and the same request again',
    async (server) => {
      const { add, enter, job: shop } = scenarioContext(server)
      const { request: ask } = await enter()
      const send = (mutations: unknown[], idempotencyKey: string) =>
        ask(syncCart, { params: { jobId: shop.jobId }, body: { orderMethod: 'gallery', mutations }, idempotencyKey })
      const [line, key] = [add(), randomId()]
      const [one, other] = await Promise.all([send([line], key), send([line], key)])
      const statuses = [one.status, other.status].sort()
      expect([
        [200, 200],
        [200, 409],
      ]).toContainEqual(statuses)
      const again = await send([line], key)
      expect(again).toMatchObject({ ok: true, data: { results: [done(line)], cart: { version: 2 } } })
      expect(await send([add()], key)).toMatchObject({
        status: 422,
        ...failed('key-reused', 'This was sent before with other content'),
      })
    },
  ],
  [
    'knows nothing more of a visit that is forgotten',
    async (server) => {
      const { add, enter } = scenarioContext(server)
      const parent = await enter()
      const line = add()
      const { cart: before } = await parent.sync([line])
      await server.deleteSessions()
      expect(await parent.send([line])).toMatchObject({ status: 401, ...sessionUnknown })
      expect(await parent.request(openSession)).toMatchObject({ ok: true, data: { created: true } })
      expect(await parent.send([line])).toMatchObject({ status: 403, ...codeNeeded })
      await parent.redeem()
      expect((await parent.sync([line])).results).toMatchObject([{ problem: 'grant-needed' }])
      await parent.confirm(server.job.ada)
      const anew = { ...line, id: randomId() }
      const { results, cart } = await parent.sync([anew])
      expect([results, comparableCart(cart).lines.map(({ lineId }) => lineId)]).toEqual([[done(anew)], [line.lineId]])
      expect(cart.id).not.toBe(before.id)
    },
  ],
  [
    'asks for the proof again once it forgot whom a visit confirmed, for what chooses and not for what counts',
    async (server) => {
      const { add, quantity, customise, remove, service, enter, job: shop } = scenarioContext(server)
      const { sync, confirm } = await enter()
      const [line, other] = [add(), add()]
      await sync([line, other])
      await server.deleteConfirmedSubjects()
      const needs = [add(), customise(line.lineId, {}), service(shop.services.box)]
      const { results } = await sync([...needs, quantity(line.lineId, 3), remove(other.lineId)])
      expect(results.map(({ problem, status }) => problem ?? status)).toEqual([
        'grant-needed',
        'grant-needed',
        'grant-needed',
        'done',
        'done',
      ])
      expect(await confirm(shop.ada)).toMatchObject({ ok: true })
      expect((await sync([add()])).results).toMatchObject([{ status: 'done' }])
    },
  ],
  [
    'refuses by one name and in one sentence, and changes nothing',
    async (server) => {
      for (const [name, tell, problem, sentence] of rejectionCases) {
        const { before = [], told: asked, orderMethod = 'gallery' } = tell(scenarioContext(server))
        const { sync, cart } = await scenarioContext(server).enter()
        const { results: first, cart: ready } = await sync(before, orderMethod)
        expect(first, name).toEqual(before.map(done))
        const { results } = await sync([asked], orderMethod)
        expect(results, name).toEqual([rejectedResult(asked, problem, sentence)])
        expect(comparableCart(await cart(orderMethod)), name).toEqual(comparableCart(ready))
      }
    },
  ],
]
