import { describe, expect, it } from 'vitest'
import { cartCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Change, ServiceKey } from '#domain/cart/mutation.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import type {
  JobServices,
  OrderService,
  PersonalizationChoice,
  ServiceFlags,
} from '#domain/cart/order-service-types.ts'
import {
  cartServiceProblem,
  cartServicesOf,
  dropOrphanedServices,
  fitPersonalizationToOffer,
  isSameService,
  isSameSubject,
  personalizationPrice,
  personalizationProblem,
  servicesOnOffer,
  withoutOrderService,
} from '#domain/cart/order-services.ts'
import { added, addOn, cartAfter, packageOf, recorded } from './cart-fixtures.ts'
import {
  allServices,
  basicRetouch,
  keyOf,
  nameAndYear,
  nameService,
  plainService,
  premiumRetouch,
  serviceSnapshotOf,
} from './order-service-fixtures.ts'

const standard = packageOf({ id: 100, retailCost: 25 })

type OrderOptions = {
  key?: Partial<ServiceKey>
  flags?: Partial<ServiceFlags>
  personalization?: PersonalizationChoice | null
  price?: number | null
}

const order = (
  cart: Cart,
  orderService: OrderService,
  { key, flags, personalization = null, price = null }: OrderOptions = {},
) => {
  const { mutation } = recorded({ do: 'service.set', ...keyOf(orderService, key), personalization, price })
  return applyMutation(cart, mutation, serviceSnapshotOf(orderService, flags))
}

const cartWithService = (cart: Cart, orderService: OrderService, options: OrderOptions = {}): Cart => {
  const applied = order(cart, orderService, options)
  if (!applied.ok) throw new Error(applied.problem)
  return applied.cart
}

const applyChange = (cart: Cart, change: Change) => {
  const applied = applyMutation(cart, recorded(change).mutation, null)
  if (!applied.ok) throw new Error(applied.problem)
  return applied
}

const withAda = cartAfter(added(standard, 'a'))

describe('ordering a service', () => {
  it.each<[string, OrderService, OrderOptions, string | null]>([
    ['a plain service', plainService, {}, null],
    ['a disabled service', { ...plainService, enabled: false }, {}, 'service-gone'],
    ['a service for a subject without a package', plainService, { key: { subjectId: 8 } }, 'service-needs-package'],
    [
      'a service for a typed-in subject with the same id',
      plainService,
      { key: { personId: 'p' } },
      'service-needs-package',
    ],
    ['retouching per subject', basicRetouch, {}, null],
    ['retouching if the job does not offer it', basicRetouch, { flags: { allowRetouch: false } }, 'service-gone'],
    [
      'retouching of an image if the job sells it per subject',
      basicRetouch,
      { key: { imageLookupId: 5 } },
      'retouch-picture',
    ],
    [
      'retouching without an image if the job sells it per image',
      basicRetouch,
      { flags: { imageLevelService: true } },
      'retouch-picture',
    ],
    [
      'retouching of an image if the job sells it per image',
      basicRetouch,
      { key: { imageLookupId: 5 }, flags: { imageLevelService: true } },
      null,
    ],
    ['a plain service if retouching is sold per image', plainService, { flags: { imageLevelService: true } }, null],
    ['name and year', nameService, { personalization: nameAndYear() }, null],
    ['name and year without a choice', nameService, {}, 'personalization-empty'],
    [
      'name and year if the job offers them neither on prints nor on wallets',
      nameService,
      { personalization: nameAndYear(), flags: { allowNameOnAllPrints: false, allowNameOnWallets: false } },
      'service-gone',
    ],
  ])('ordering %s returns the expected problem, or none', (_, orderService, options, problem) => {
    const applied = order(withAda, orderService, options)
    expect(applied.ok ? null : applied.problem).toBe(problem)
  })

  it('an unknown service is rejected', () => {
    const { mutation } = recorded({ do: 'service.set', ...keyOf(plainService), personalization: null, price: 5 })
    expect(applyMutation(withAda, mutation, null)).toEqual({ ok: false, problem: 'service-gone' })
  })

  it.each<[string, OrderService, OrderOptions, number]>([
    ['a plain service', plainService, {}, 500],
    ['a service shown at another price', plainService, { price: 4.5 }, 450],
    ['retouching', premiumRetouch, {}, 1500],
    ['name and year', nameService, { personalization: nameAndYear() }, 1000],
  ])('%s counts towards the total', (_, orderService, options, cents) => {
    expect(cartCents(cartWithService(withAda, orderService, options))).toBe(2500 + cents)
  })

  it('ordering a service twice has the effect of ordering it once', () => {
    const cart = cartWithService(cartWithService(withAda, plainService), plainService)
    expect(cartServicesOf(cart)).toHaveLength(1)
  })

  it('another retouching of the same image replaces the first; other images keep theirs', () => {
    const flags = { imageLevelService: true }
    const withFirst = cartWithService(withAda, basicRetouch, { flags, key: { imageLookupId: 5 } })
    const withBoth = cartWithService(withFirst, basicRetouch, { flags, key: { imageLookupId: 6 } })
    const upgraded = cartWithService(withBoth, premiumRetouch, { flags, key: { imageLookupId: 5 } })
    const levels = upgraded.cartOrderServicesDetails.retouches.map(({ imageLookupId, level }) => [imageLookupId, level])
    expect(levels).toEqual([
      [6, 'basic'],
      [5, 'premium'],
    ])
    expect(upgraded.cartOrderServicesDetails.imageLevel).toBe(true)
  })

  it('a subject has only one personalization', () => {
    const withFirst = cartWithService(withAda, nameService, { personalization: nameAndYear('Ada') })
    const cart = cartWithService(withFirst, nameService, { personalization: nameAndYear('Ada L.') })
    expect(cart.cartOrderServicesDetails.personalizations.map((entry) => entry.nameToPrint)).toEqual(['Ada L.'])
  })

  it('a replaced service keeps the id that the server assigned', () => {
    const withFirst = cartWithService(withAda, nameService, { personalization: nameAndYear() })
    const [entry] = withFirst.cartOrderServicesDetails.personalizations
    const details = { ...withFirst.cartOrderServicesDetails, personalizations: entry ? [{ ...entry, id: 31 }] : [] }
    const cart = cartWithService({ ...withFirst, cartOrderServicesDetails: details }, nameService, {
      personalization: nameAndYear('A'),
    })
    expect(cartServicesOf(cart).map(({ id }) => id)).toEqual([31])
  })

  it('a service is stored by its kind, whatever else the mutation contains, and retouching without a level is basic', () => {
    const cart = cartWithService(withAda, plainService, { personalization: nameAndYear() })
    expect(cart.cartOrderServicesDetails).toMatchObject({
      cartOrderServices: [{ orderServiceId: plainService.orderServiceId, price: 5 }],
      retouches: [],
      personalizations: [],
    })
    const { retouches } = cartWithService(withAda, { ...basicRetouch, level: null }).cartOrderServicesDetails
    expect(retouches).toMatchObject([{ level: 'basic', price: 8 }])
  })

  it('removing a service leaves other services of the subject, and the same service of other subjects', () => {
    const bo = { subjectId: 8 }
    const cartOfBoth = cartAfter(
      added(standard, 'a'),
      recorded({ ...added(standard, 'b').mutation, ...bo } as Change, standard),
    )
    const other = { ...plainService, orderServiceId: 9 }
    const personalizationFor = (name: string) => ({ personalization: nameAndYear(name) })
    const cart = [
      (previous: Cart) => cartWithService(previous, plainService),
      (previous: Cart) => cartWithService(previous, other),
      (previous: Cart) => cartWithService(previous, plainService, { key: bo }),
      (previous: Cart) => cartWithService(previous, plainService),
      (previous: Cart) => cartWithService(previous, nameService, personalizationFor('Ada')),
      (previous: Cart) => cartWithService(previous, nameService, { key: bo, ...personalizationFor('Bo') }),
    ].reduce((previous, orderNext) => orderNext(previous), cartOfBoth)
    const { cartOrderServices, personalizations } = cart.cartOrderServicesDetails
    expect(cartOrderServices.map(({ orderServiceId, subjectId }) => [orderServiceId, subjectId])).toEqual([
      [9, 7],
      [4, 8],
      [4, 7],
    ])
    expect(personalizations.map(({ nameToPrint }) => nameToPrint)).toEqual(['Ada', 'Bo'])
    const { cart: remaining } = applyChange(cart, { do: 'service.remove', ...keyOf(nameService) })
    expect(remaining.cartOrderServicesDetails.personalizations.map(({ nameToPrint }) => nameToPrint)).toEqual(['Bo'])
    expect(remaining.cartOrderServicesDetails.cartOrderServices).toEqual(cartOrderServices)
  })

  it('removing a missing service, or orphaned services where there are none, returns the same cart object', () => {
    expect(withoutOrderService(withAda, keyOf(plainService))).toBe(withAda)
    expect(dropOrphanedServices(withAda)).toBe(withAda)
  })

  it('a service can be removed once or twice with the same result', () => {
    const cart = cartWithService(cartWithService(withAda, plainService), basicRetouch)
    const { cart: remaining } = applyChange(cart, { do: 'service.remove', ...keyOf(plainService) })
    expect(cartServicesOf(remaining).map(({ orderServiceId }) => orderServiceId)).toEqual([basicRetouch.orderServiceId])
    expect(applyChange(remaining, { do: 'service.remove', ...keyOf(plainService) }).cart).toEqual(remaining)
  })

  it('a service is dropped with the last package of its subject, and with it the add-ons that needed its price', () => {
    const frame = addOn(200, { type: 'addon_price', requiredMinPrice: 35 })
    const bo = { subjectId: 8 }
    const boAdded = recorded(
      { ...added(standard, 'b').mutation, ...bo } as Change,
      packageOf({ id: 100, retailCost: 1 }),
    )
    const both = cartWithService(cartAfter(added(standard, 'a'), boAdded), premiumRetouch, { key: bo })
    const withFrame = applyMutation(both, added(frame, 'x').mutation, added(frame, 'x').snapshot)
    if (!withFrame.ok) throw new Error(withFrame.problem)
    const { cart, dropped } = applyChange(withFrame.cart, { do: 'line.remove', lineId: 'b' })
    expect(cartServicesOf(cart)).toEqual([])
    expect(dropped.map(({ lineId }) => lineId)).toEqual(['x'])
  })

  it('removing a service re-validates the add-ons', () => {
    const frame = addOn(200, { type: 'addon_price', requiredMinPrice: 30 })
    const cart = cartWithService(withAda, premiumRetouch)
    const withFrame = applyMutation(cart, added(frame, 'x').mutation, added(frame, 'x').snapshot)
    if (!withFrame.ok) throw new Error(withFrame.problem)
    const { cart: remaining, dropped } = applyChange(withFrame.cart, { do: 'service.remove', ...keyOf(premiumRetouch) })
    expect(dropped.map(({ lineId }) => lineId)).toEqual(['x'])
    expect(remaining.cartPackages.map(({ lineId }) => lineId)).toEqual(['a'])
  })
})

describe('name and year', () => {
  it.each<[string, Partial<PersonalizationChoice>, Partial<ServiceFlags>, string | null]>([
    ['on all prints', {}, {}, null],
    ['with only the name', { yearOnAllPrints: false, yearToPrint: '' }, {}, null],
    ['with only the year', { nameOnAllPrints: false, nameToPrint: '' }, {}, null],
    ['on nothing', { nameOnAllPrints: false, yearOnAllPrints: false }, {}, 'personalization-empty'],
    ['with a blank name', { nameToPrint: '  ' }, {}, 'personalization-empty'],
    ['with an empty year', { yearToPrint: '' }, {}, 'personalization-empty'],
    ['with a blank year', { yearToPrint: ' ' }, {}, 'personalization-empty'],
    ['on prints if wallets are not offered', {}, { allowNameOnWallets: false }, null],
    ['on wallets too', { nameOnWallets: true }, {}, null],
    [
      'with the name on wallets, which are not offered',
      { nameOnWallets: true },
      { allowNameOnWallets: false },
      'personalization-refused',
    ],
    [
      'with the year on wallets, which are not offered',
      { yearOnWallets: true },
      { allowNameOnWallets: false },
      'personalization-refused',
    ],
    ['on prints, which are not offered', {}, { allowNameOnAllPrints: false }, 'personalization-refused'],
    [
      'with only the name on prints, which are not offered',
      { yearOnAllPrints: false },
      { allowNameOnAllPrints: false },
      'personalization-refused',
    ],
    [
      'with only the year on prints, which are not offered',
      { nameOnAllPrints: false },
      { allowNameOnAllPrints: false },
      'personalization-refused',
    ],
    [
      'on wallets alone if prints are not offered',
      { nameOnAllPrints: false, yearOnAllPrints: false, nameOnWallets: true },
      { allowNameOnAllPrints: false },
      null,
    ],
  ])('a choice of name and year %s is validated', (_, choice, flags, problem) => {
    expect(personalizationProblem(nameAndYear('Ada', choice), { ...allServices, ...flags })).toBe(problem)
  })

  it('a name of invisible characters counts as empty', () => {
    expect(personalizationProblem(nameAndYear('\u200b'), allServices)).toBe('personalization-empty')
  })

  it('name and year cost $10 unless the job sets a price', () => {
    expect([personalizationPrice(null), personalizationPrice(12.5), personalizationPrice(0)]).toEqual([10, 12.5, 0])
  })
})

describe('services in a cart after the studio changed its terms', () => {
  const allOffered = [basicRetouch, nameService, plainService]
  const cart = cartWithService(
    cartWithService(cartWithService(withAda, basicRetouch), nameService, { personalization: nameAndYear('Ada') }),
    plainService,
  )
  it.each<[string, Partial<JobServices>, (string | null)[]]>([
    ['no change', {}, [null, null, null]],
    ['prints are no longer offered', { allowNameOnAllPrints: false }, [null, null, 'personalization-refused']],
    ['wallets are no longer offered', { allowNameOnWallets: false }, [null, null, null]],
    ['retouching is sold per image', { imageLevelService: true }, [null, 'retouch-picture', null]],
    ['retouching is no longer offered', { allowRetouch: false }, [null, 'service-gone', null]],
    [
      'all services are disabled',
      { services: allOffered.map((service) => ({ ...service, enabled: false })) },
      Array(3).fill('service-gone'),
    ],
    ['all services are deleted', { services: [] }, Array(3).fill('service-gone')],
  ])('services in a cart are checked again: %s', (_, change, problems) => {
    const offered = { ...allServices, services: allOffered, ...change }
    expect(cartServicesOf(cart).map((entry) => cartServiceProblem(entry, offered))).toEqual(problems)
  })

  it('retouching of an image is no longer valid if the job sells it per subject again', () => {
    const perImage = { key: { imageLookupId: 501 }, flags: { imageLevelService: true } }
    const [entry] = cartServicesOf(cartWithService(withAda, basicRetouch, perImage))
    expect(entry && cartServiceProblem(entry, { ...allServices, services: allOffered })).toBe('retouch-picture')
  })

  it('name and year move to the product that is still offered, and a name or year that was not chosen is not added', () => {
    const fittedFlags = (choice: Partial<PersonalizationChoice>, flags: Partial<ServiceFlags>) => {
      const fitted = fitPersonalizationToOffer(nameAndYear('Ada', choice), { ...allServices, ...flags })
      return [fitted.nameOnAllPrints, fitted.nameOnWallets, fitted.yearOnAllPrints, fitted.yearOnWallets]
    }
    expect(fittedFlags({}, {})).toEqual([true, false, true, false])
    expect(fittedFlags({}, { allowNameOnAllPrints: false })).toEqual([false, true, false, true])
    expect(fittedFlags({ nameOnWallets: true }, { allowNameOnWallets: false })).toEqual([true, false, true, false])
    expect(fittedFlags({ nameOnAllPrints: false }, { allowNameOnAllPrints: false })).toEqual([
      false,
      false,
      false,
      true,
    ])
    const onWallets = { nameOnAllPrints: false, nameOnWallets: true, yearOnAllPrints: false, yearOnWallets: true }
    expect(fittedFlags(onWallets, { allowNameOnWallets: false })).toEqual([true, false, true, false])
  })
})

describe('services on offer', () => {
  it.each<[Partial<ServiceFlags>, number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ allowRetouch: false }, [3, 4]],
    [{ allowNameOnAllPrints: false }, [1, 2, 3, 4]],
    [{ allowNameOnAllPrints: false, allowNameOnWallets: false }, [1, 2, 4]],
  ])('the services on offer depend on the flags: %o', (flags, ids) => {
    const services = [basicRetouch, premiumRetouch, nameService, plainService, { ...plainService, enabled: false }]
    const offered = servicesOnOffer({ ...allServices, ...flags, services })
    expect(offered.map(({ orderServiceId }) => orderServiceId)).toEqual(ids)
  })
})

describe('the identity of subjects and services', () => {
  const subjectKey = (subjectId: number | null, personId: string | null) => ({ subjectId, personId })
  it.each<[ReturnType<typeof subjectKey>, ReturnType<typeof subjectKey>, boolean]>([
    [subjectKey(7, null), subjectKey(7, null), true],
    [subjectKey(7, null), subjectKey(8, null), false],
    [subjectKey(7, 'p'), subjectKey(null, 'p'), true],
    [subjectKey(7, 'p'), subjectKey(7, null), false],
    [subjectKey(7, null), subjectKey(7, 'p'), false],
    [subjectKey(7, 'p'), subjectKey(7, 'q'), false],
  ])('%o and %o are the same subject: %s', (a, b, expected) => expect(isSameSubject(a, b)).toBe(expected))

  it.each<[Partial<ServiceKey>, boolean]>([
    [{}, true],
    [{ orderServiceId: 99 }, false],
    [{ subjectId: 8 }, false],
    [{ imageLookupId: 6 }, false],
    [{ imageLookupId: null }, false],
  ])('retouching of an image is the same service as one with %o: %s', (overrides, expected) => {
    const key = keyOf(basicRetouch, { imageLookupId: 5 })
    expect(isSameService(key, { ...key, ...overrides })).toBe(expected)
  })
})

describe('typed-in subjects and year-book poses', () => {
  const typed = { subjectId: null, personId: 'p1' }
  const boAdded = recorded({ ...added(standard, 'p').mutation, ...typed } as Change, standard)
  const field = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })

  it('renaming a typed-in subject changes all of its lines and no others', () => {
    const { cart, dropped } = applyChange(cartAfter(added(standard, 'a'), boAdded), {
      do: 'person.set',
      personId: 'p1',
      firstName: 'Bo',
      lastName: 'Ek',
      dataFields: [field('2')],
    })
    expect(cart.cartPackages.map((line) => line.snapshot.subject.firstName)).toEqual(['Ada', 'Bo'])
    expect(cart.subjects.map(({ lastName }) => lastName)).toEqual(['Lovelace', 'Ek'])
    expect(cart.cartPackages.map((line) => line.dataFields.map(({ value }) => value))).toEqual([[], ['2']])
    expect(dropped).toEqual([])
  })

  it('fields of one line apply to all lines of its subject, and a new line without fields inherits them', () => {
    const cart = cartAfter(
      added(standard, 'a'),
      added(standard, 'b', 1, { dataFields: [field('1')] }),
      added(standard, 'c'),
      boAdded,
    )
    const grades = cart.cartPackages.map((line) => [line.lineId, line.dataFields[0]?.value])
    expect(grades).toEqual([
      ['a', '1'],
      ['b', '1'],
      ['c', '1'],
      ['p', undefined],
    ])
  })

  it('a subject has one year-book pose, the only choice that can change while the cart is being paid for', () => {
    const frozen: Cart = { ...withAda, state: 'frozen', yearBookPoses: [{ subjectId: 8, imageId: 3 }] }
    const { cart } = applyChange(applyChange(frozen, { do: 'pose.set', subjectId: 7, imageId: 1 }).cart, {
      do: 'pose.set',
      subjectId: 7,
      imageId: 2,
    })
    expect(cart.yearBookPoses).toEqual([
      { subjectId: 8, imageId: 3 },
      { subjectId: 7, imageId: 2 },
    ])
    const rejected = applyMutation(frozen, recorded({ do: 'service.remove', ...keyOf(plainService) }).mutation, null)
    expect(rejected).toEqual({ ok: false, problem: 'cart-closed' })
  })
})
