import { describe, expect, it } from 'vitest'
import { cartCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { applyMutation } from '#domain/cart/cart-rules.ts'
import type { Change, ServiceKey } from '#domain/cart/mutation.ts'
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
import { mayChoosePose } from '#domain/subjects/year-book-pose.ts'
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

type Wish = {
  key?: Partial<ServiceKey>
  flags?: Partial<ServiceFlags>
  personalization?: PersonalizationChoice | null
  price?: number | null
}

const order = (cart: Cart, of: OrderService, { key, flags, personalization = null, price = null }: Wish = {}) => {
  const { mutation } = recorded({ do: 'service.set', ...keyOf(of, key), personalization, price })
  return applyMutation(cart, mutation, serviceSnapshotOf(of, flags))
}

const ordered = (cart: Cart, of: OrderService, wish: Wish = {}): Cart => {
  const applied = order(cart, of, wish)
  if (!applied.ok) throw new Error(applied.problem)
  return applied.cart
}

const told = (cart: Cart, change: Change) => {
  const applied = applyMutation(cart, recorded(change).mutation, null)
  if (!applied.ok) throw new Error(applied.problem)
  return applied
}

const withAda = cartAfter(added(standard, 'a'))

describe('ordering a service', () => {
  it.each<[string, OrderService, Wish, string | null]>([
    ['a plain one', plainService, {}, null],
    ['one that is switched off', { ...plainService, enabled: false }, {}, 'service-gone'],
    ['for somebody without a package', plainService, { key: { subjectId: 8 } }, 'service-needs-package'],
    ['for a typed-in person of the same number', plainService, { key: { personId: 'p' } }, 'service-needs-package'],
    ['retouching of a person', basicRetouch, {}, null],
    ['retouching where the job has none', basicRetouch, { flags: { allowRetouch: false } }, 'service-gone'],
    [
      'retouching of a picture, where it goes by the person',
      basicRetouch,
      { key: { imageLookupId: 5 } },
      'retouch-picture',
    ],
    [
      'retouching of nobody’s picture, where it goes by the picture',
      basicRetouch,
      { flags: { imageLevelService: true } },
      'retouch-picture',
    ],
    [
      'retouching by the picture',
      basicRetouch,
      { key: { imageLookupId: 5 }, flags: { imageLevelService: true } },
      null,
    ],
    ['a plain one where retouching goes by the picture', plainService, { flags: { imageLevelService: true } }, null],
    ['name and year', nameService, { personalization: nameAndYear() }, null],
    ['name and year without saying which', nameService, {}, 'personalization-empty'],
    [
      'name and year where the job has neither place',
      nameService,
      { personalization: nameAndYear(), flags: { allowNameOnAllPrints: false, allowNameOnWallets: false } },
      'service-gone',
    ],
  ])('%s', (_, of, wish, problem) => {
    const applied = order(withAda, of, wish)
    expect(applied.ok ? null : applied.problem).toBe(problem)
  })

  it('an unknown service is rejected', () => {
    const { mutation } = recorded({ do: 'service.set', ...keyOf(plainService), personalization: null, price: 5 })
    expect(applyMutation(withAda, mutation, null)).toEqual({ ok: false, problem: 'service-gone' })
  })

  it.each<[string, OrderService, Wish, number]>([
    ['a plain one', plainService, {}, 500],
    ['one shown at another price', plainService, { price: 4.5 }, 450],
    ['retouching', premiumRetouch, {}, 1500],
    ['name and year', nameService, { personalization: nameAndYear() }, 1000],
  ])('%s counts towards the total', (_, of, wish, cents) => {
    expect(cartCents(ordered(withAda, of, wish))).toBe(2500 + cents)
  })

  it('ordering a service twice has the effect of ordering it once', () => {
    const cart = ordered(ordered(withAda, plainService), plainService)
    expect(cartServicesOf(cart)).toHaveLength(1)
  })

  it('a better retouching replaces the other one, image by image', () => {
    const flags = { imageLevelService: true }
    const one = ordered(withAda, basicRetouch, { flags, key: { imageLookupId: 5 } })
    const two = ordered(one, basicRetouch, { flags, key: { imageLookupId: 6 } })
    const better = ordered(two, premiumRetouch, { flags, key: { imageLookupId: 5 } })
    const levels = better.cartOrderServicesDetails.retouches.map(({ imageLookupId, level }) => [imageLookupId, level])
    expect(levels).toEqual([
      [6, 'basic'],
      [5, 'premium'],
    ])
    expect(better.cartOrderServicesDetails.imageLevel).toBe(true)
  })

  it('a subject has only one personalization', () => {
    const one = ordered(withAda, nameService, { personalization: nameAndYear('Ada') })
    const cart = ordered(one, nameService, { personalization: nameAndYear('Ada L.') })
    expect(cart.cartOrderServicesDetails.personalizations.map((entry) => entry.nameToPrint)).toEqual(['Ada L.'])
  })

  it('a replaced service keeps the id that the server assigned', () => {
    const one = ordered(withAda, nameService, { personalization: nameAndYear() })
    const [entry] = one.cartOrderServicesDetails.personalizations
    const details = { ...one.cartOrderServicesDetails, personalizations: entry ? [{ ...entry, id: 31 }] : [] }
    const cart = ordered({ ...one, cartOrderServicesDetails: details }, nameService, {
      personalization: nameAndYear('A'),
    })
    expect(cartServicesOf(cart).map(({ id }) => id)).toEqual([31])
  })

  it('a service is stored by its kind, whatever else the mutation contains', () => {
    const cart = ordered(withAda, plainService, { personalization: nameAndYear() })
    expect(cart.cartOrderServicesDetails).toMatchObject({
      cartOrderServices: [{ orderServiceId: plainService.orderServiceId, price: 5 }],
      retouches: [],
      personalizations: [],
    })
    const { retouches } = ordered(withAda, { ...basicRetouch, level: null }).cartOrderServicesDetails
    expect(retouches).toMatchObject([{ level: 'basic', price: 8 }])
  })

  it('removing a service leaves other services of the subject, and the same service of other subjects', () => {
    const bo = { subjectId: 8 }
    const both = cartAfter(
      added(standard, 'a'),
      recorded({ ...added(standard, 'b').mutation, ...bo } as Change, standard),
    )
    const other = { ...plainService, orderServiceId: 9 }
    const named = (name: string) => ({ personalization: nameAndYear(name) })
    const cart = [
      (one: Cart) => ordered(one, plainService),
      (one: Cart) => ordered(one, other),
      (one: Cart) => ordered(one, plainService, { key: bo }),
      (one: Cart) => ordered(one, plainService),
      (one: Cart) => ordered(one, nameService, named('Ada')),
      (one: Cart) => ordered(one, nameService, { key: bo, ...named('Bo') }),
    ].reduce((one, next) => next(one), both)
    const { cartOrderServices, personalizations } = cart.cartOrderServicesDetails
    expect(cartOrderServices.map(({ orderServiceId, subjectId }) => [orderServiceId, subjectId])).toEqual([
      [9, 7],
      [4, 8],
      [4, 7],
    ])
    expect(personalizations.map(({ nameToPrint }) => nameToPrint)).toEqual(['Ada', 'Bo'])
    const { cart: less } = told(cart, { do: 'service.remove', ...keyOf(nameService) })
    expect(less.cartOrderServicesDetails.personalizations.map(({ nameToPrint }) => nameToPrint)).toEqual(['Bo'])
    expect(less.cartOrderServicesDetails.cartOrderServices).toEqual(cartOrderServices)
  })

  it('removing a missing service returns the same cart object', () => {
    expect(withoutOrderService(withAda, keyOf(plainService))).toBe(withAda)
    expect(dropOrphanedServices(withAda)).toBe(withAda)
  })

  it('a service can be removed once or twice with the same result', () => {
    const cart = ordered(ordered(withAda, plainService), basicRetouch)
    const { cart: less } = told(cart, { do: 'service.remove', ...keyOf(plainService) })
    expect(cartServicesOf(less).map(({ orderServiceId }) => orderServiceId)).toEqual([basicRetouch.orderServiceId])
    expect(told(less, { do: 'service.remove', ...keyOf(plainService) }).cart).toEqual(less)
  })

  it('a service is dropped with the last package of its subject, and with it the add-ons that needed its price', () => {
    const frame = addOn(200, { type: 'addon_price', requiredMinPrice: 35 })
    const bo = { subjectId: 8 }
    const boAdded = recorded(
      { ...added(standard, 'b').mutation, ...bo } as Change,
      packageOf({ id: 100, retailCost: 1 }),
    )
    const both = ordered(cartAfter(added(standard, 'a'), boAdded), premiumRetouch, { key: bo })
    const framed = applyMutation(both, added(frame, 'x').mutation, added(frame, 'x').snapshot)
    if (!framed.ok) throw new Error(framed.problem)
    const { cart, dropped } = told(framed.cart, { do: 'line.remove', lineId: 'b' })
    expect(cartServicesOf(cart)).toEqual([])
    expect(dropped.map(({ lineId }) => lineId)).toEqual(['x'])
  })

  it('removing a service re-validates the add-ons', () => {
    const frame = addOn(200, { type: 'addon_price', requiredMinPrice: 30 })
    const cart = ordered(withAda, premiumRetouch)
    const framed = applyMutation(cart, added(frame, 'x').mutation, added(frame, 'x').snapshot)
    if (!framed.ok) throw new Error(framed.problem)
    const { cart: left, dropped } = told(framed.cart, { do: 'service.remove', ...keyOf(premiumRetouch) })
    expect(dropped.map(({ lineId }) => lineId)).toEqual(['x'])
    expect(left.cartPackages.map(({ lineId }) => lineId)).toEqual(['a'])
  })
})

describe('name and year', () => {
  it.each<[string, Partial<PersonalizationChoice>, Partial<ServiceFlags>, string | null]>([
    ['both on all prints', {}, {}, null],
    ['only the name', { yearOnAllPrints: false, yearToPrint: '' }, {}, null],
    ['only the year', { nameOnAllPrints: false, nameToPrint: '' }, {}, null],
    ['on nothing', { nameOnAllPrints: false, yearOnAllPrints: false }, {}, 'personalization-empty'],
    ['a blank name', { nameToPrint: '  ' }, {}, 'personalization-empty'],
    ['a blank year', { yearToPrint: '' }, {}, 'personalization-empty'],
    ['a year of blanks', { yearToPrint: ' ' }, {}, 'personalization-empty'],
    ['on prints, where wallets take none', {}, { allowNameOnWallets: false }, null],
    ['on wallets', { nameOnWallets: true }, {}, null],
    [
      'the name on wallets where they take none',
      { nameOnWallets: true },
      { allowNameOnWallets: false },
      'personalization-refused',
    ],
    [
      'the year on wallets where they take none',
      { yearOnWallets: true },
      { allowNameOnWallets: false },
      'personalization-refused',
    ],
    ['on prints that take none', {}, { allowNameOnAllPrints: false }, 'personalization-refused'],
    [
      'the name alone on prints that take none',
      { yearOnAllPrints: false },
      { allowNameOnAllPrints: false },
      'personalization-refused',
    ],
    [
      'the year alone on prints that take none',
      { nameOnAllPrints: false },
      { allowNameOnAllPrints: false },
      'personalization-refused',
    ],
    [
      'on wallets alone, where prints take none',
      { nameOnAllPrints: false, yearOnAllPrints: false, nameOnWallets: true },
      { allowNameOnAllPrints: false },
      null,
    ],
  ])('%s', (_, choice, flags, problem) => {
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
  const all = [basicRetouch, nameService, plainService]
  const cart = ordered(
    ordered(ordered(withAda, basicRetouch), nameService, { personalization: nameAndYear('Ada') }),
    plainService,
  )
  it.each<[string, Partial<JobServices>, (string | null)[]]>([
    ['nothing', {}, [null, null, null]],
    ['names on all prints', { allowNameOnAllPrints: false }, [null, null, 'personalization-refused']],
    ['a place nobody chose', { allowNameOnWallets: false }, [null, null, null]],
    ['retouching goes by the picture', { imageLevelService: true }, [null, 'retouch-picture', null]],
    ['retouching', { allowRetouch: false }, [null, 'service-gone', null]],
    ['one switched off', { services: all.map((one) => ({ ...one, enabled: false })) }, Array(3).fill('service-gone')],
    ['one taken away', { services: [] }, Array(3).fill('service-gone')],
  ])('%s', (_, change, problems) => {
    const offered = { ...allServices, services: all, ...change }
    expect(cartServicesOf(cart).map((entry) => cartServiceProblem(entry, offered))).toEqual(problems)
  })

  it('retouching of an image is no longer valid if the job sells it per subject again', () => {
    const byPicture = { key: { imageLookupId: 501 }, flags: { imageLevelService: true } }
    const [entry] = cartServicesOf(ordered(withAda, basicRetouch, byPicture))
    expect(entry && cartServiceProblem(entry, { ...allServices, services: all })).toBe('retouch-picture')
  })

  it('name and year move to the product that is still offered, and are never added on their own', () => {
    const places = (choice: Partial<PersonalizationChoice>, flags: Partial<ServiceFlags>) => {
      const placed = fitPersonalizationToOffer(nameAndYear('Ada', choice), { ...allServices, ...flags })
      return [placed.nameOnAllPrints, placed.nameOnWallets, placed.yearOnAllPrints, placed.yearOnWallets]
    }
    expect(places({}, {})).toEqual([true, false, true, false])
    expect(places({}, { allowNameOnAllPrints: false })).toEqual([false, true, false, true])
    expect(places({ nameOnWallets: true }, { allowNameOnWallets: false })).toEqual([true, false, true, false])
    expect(places({ nameOnAllPrints: false }, { allowNameOnAllPrints: false })).toEqual([false, false, false, true])
    const onWallets = { nameOnAllPrints: false, nameOnWallets: true, yearOnAllPrints: false, yearOnWallets: true }
    expect(places(onWallets, { allowNameOnWallets: false })).toEqual([true, false, true, false])
  })
})

describe('services on offer', () => {
  it.each<[Partial<ServiceFlags>, number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ allowRetouch: false }, [3, 4]],
    [{ allowNameOnAllPrints: false }, [1, 2, 3, 4]],
    [{ allowNameOnAllPrints: false, allowNameOnWallets: false }, [1, 2, 4]],
  ])('%o', (flags, ids) => {
    const services = [basicRetouch, premiumRetouch, nameService, plainService, { ...plainService, enabled: false }]
    const offered = servicesOnOffer({ ...allServices, ...flags, services })
    expect(offered.map(({ orderServiceId }) => orderServiceId)).toEqual(ids)
  })
})

describe('the identity of subjects and services', () => {
  const somebody = (subjectId: number | null, personId: string | null) => ({ subjectId, personId })
  it.each<[ReturnType<typeof somebody>, ReturnType<typeof somebody>, boolean]>([
    [somebody(7, null), somebody(7, null), true],
    [somebody(7, null), somebody(8, null), false],
    [somebody(7, 'p'), somebody(null, 'p'), true],
    [somebody(7, 'p'), somebody(7, null), false],
    [somebody(7, null), somebody(7, 'p'), false],
    [somebody(7, 'p'), somebody(7, 'q'), false],
  ])('%o and %o are one person: %s', (one, other, same) => expect(isSameSubject(one, other)).toBe(same))

  it.each<[Partial<ServiceKey>, boolean]>([
    [{}, true],
    [{ orderServiceId: 99 }, false],
    [{ subjectId: 8 }, false],
    [{ imageLookupId: 6 }, false],
    [{ imageLookupId: null }, false],
  ])('a service of Ada’s picture and one with %o: %s', (own, same) => {
    const key = keyOf(basicRetouch, { imageLookupId: 5 })
    expect(isSameService(key, { ...key, ...own })).toBe(same)
  })
})

describe('typed-in subjects and year-book poses', () => {
  const typed = { subjectId: null, personId: 'p1' }
  const boAdded = recorded({ ...added(standard, 'p').mutation, ...typed } as Change, standard)
  const field = (value: string) => ({ subjectId: null, name: 'Grade', value, templateId: null, optionId: null })

  it('renaming a typed-in subject changes all of its lines and no others', () => {
    const { cart, dropped } = told(cartAfter(added(standard, 'a'), boAdded), {
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

  it('a subject has one year-book pose, which can be chosen while the cart is being paid for', () => {
    const frozen: Cart = { ...withAda, state: 'frozen', yearBookPoses: [{ subjectId: 8, imageId: 3 }] }
    const { cart } = told(told(frozen, { do: 'pose.set', subjectId: 7, imageId: 1 }).cart, {
      do: 'pose.set',
      subjectId: 7,
      imageId: 2,
    })
    expect(cart.yearBookPoses).toEqual([
      { subjectId: 8, imageId: 3 },
      { subjectId: 7, imageId: 2 },
    ])
    const served = applyMutation(frozen, recorded({ do: 'service.remove', ...keyOf(plainService) }).mutation, null)
    expect(served).toEqual({ ok: false, problem: 'cart-closed' })
  })

  it.each([
    [true, false, 2, true],
    [false, false, 2, false],
    [true, true, 2, false],
    [true, false, 1, false],
    [true, false, 0, false],
  ])('choosing a pose with enabled %s, expired %s and %i images: %s', (enabled, expired, imageCount, may) => {
    expect(mayChoosePose({ enabled, expired, imageCount })).toBe(may)
  })
})
