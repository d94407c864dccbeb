import fc from 'fast-check'
import { isValidElement } from 'react'
import { describe, expect, test } from 'vitest'
import { appRoutes } from '#client/app/app-routes.tsx'
import { withJobInPath } from '#client/app/job-in-path.ts'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { matchRoute } from '#client/app/match-route.ts'
import {
  readCartPackage,
  readCustomer,
  readDownload,
  readOrder,
  readPackageDetails,
  readSelectPackage,
  readSubject,
} from '#client/app/route-params.ts'
import { staffRouteTable } from '#client/app/staff/staff-route-table.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { defineRoute } from '#platform/define-route.tsx'
import { noLanding } from '#platform/landing.ts'
import { idParam, optionalIdParam, patterns, type RouteInput, safeReturnPath, textParam, urls } from '#platform/urls.ts'

const routes = Object.entries(patterns)
  .sort(([one], [other]) => Number(one === 'customerSubjectSearch') - Number(other === 'customerSubjectSearch'))
  .map(([name, found]) =>
    defineRoute({ name, patterns: found, title: null, load: async () => () => null, read: () => ({}) }),
  )

const find = (address: string): { name: string; input: RouteInput } => {
  const matched = matchRoute(routes, address)
  if (!matched) throw new Error(`${address} leads nowhere`)
  return { name: matched.route.name, input: matched.input }
}

const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).filter((text) => matchRoute(routes, `/${text}`) !== undefined)
const id = fc.integer({ min: 1, max: 2_000_000_000 })
const subject = fc.oneof(id, fc.integer({ min: -1000, max: -1 }))
const maybe = fc.option(id, { nil: undefined })
const words = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => !/^\.{1,2}$/.test(text))

describe('every generated URL is parsed back to the same values', () => {
  const event = { studioSlug: slug, jobId: id }

  test('job', () => {
    fc.assert(
      fc.property(fc.record(event), (route) => {
        for (const make of [urls.subjectSearch, urls.cart, urls.checkout, urls.checkoutReview, urls.selectSubject]) {
          expect(readCustomer(find(make(route)).input)).toEqual(route)
        }
        expect(find(urls.cart(route)).name).toBe('customerCart')
        expect(find(urls.orderServices(route)).name).toBe('customerCartOrderServices')
        expect(find(urls.confirmCart(route)).name).toBe('customerConfirmCart')
        expect(find(`/${route.studioSlug}/${route.jobId}`).name).toBe('customerSubjectSearch')
      }),
    )
  })

  test('packages', () => {
    const wanted = fc.record({
      ...event,
      subjectId: subject,
      imageId: maybe,
      packageIds: fc.array(id, { minLength: 1 }),
      like: fc.option(fc.array(id, { minLength: 1 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(wanted, ({ packageIds, like, ...place }) => {
        expect(readSelectPackage(find(urls.selectPackage(place)).input)).toEqual(place)
        const { imageId: _, ...person } = place
        expect(readSubject(find(urls.personDetails(person)).input)).toEqual(person)
        expect(readPackageDetails(find(urls.packageDetails({ ...place, packageIds, like })).input)).toEqual({
          ...place,
          packageIds,
          like,
        })
      }),
    )
  })

  test('downloads with any link id', () => {
    fc.assert(
      fc.property(fc.record({ studioSlug: event.studioSlug, linkId: words }), (place) => {
        expect(readDownload(find(urls.download(place)).input)).toEqual(place)
      }),
    )
  })

  test('cart packages and orders with any order number', () => {
    fc.assert(
      fc.property(fc.record({ ...event, cartPackageId: id }), words, ({ cartPackageId, ...route }, orderNumber) => {
        expect(readCartPackage(find(urls.editCartPackage({ ...route, cartPackageId })).input)).toEqual({
          ...route,
          cartPackageId,
        })
        const stored = normaliseOrderNumber(orderNumber) ?? orderNumber
        expect(readOrder(find(urls.order({ ...route, orderNumber })).input)).toEqual({ ...route, orderNumber: stored })
      }),
    )
  })
})

describe('ids', () => {
  const place = (path: Record<string, string>, query = ''): RouteInput => ({
    params: path,
    query: new URLSearchParams(query),
  })

  test('come from the path, or from the query if the path has none', () => {
    expect(idParam(place({ jobId: '12' }, 'jobId=13'), 'jobId')).toBe(12)
    expect(idParam(place({}, 'jobId=13'), 'jobId')).toBe(13)
    expect(readSelectPackage(find('/riverside/3/subject/select-package?subjectId=7&imageId=9').input)).toEqual({
      studioSlug: 'riverside',
      jobId: 3,
      subjectId: 7,
      imageId: 9,
    })
  })

  test('that are required and missing throw; optional ones are undefined', () => {
    expect(() => idParam(place({}), 'jobId')).toThrow('This address needs jobId')
    expect(() => textParam(place({}), 'orderNumber')).toThrow('This address needs orderNumber')
    expect(() => readSelectPackage(find('/riverside/3/subject/select-package').input)).toThrow('needs subjectId')
    expect(optionalIdParam(place({}), 'imageId')).toBeUndefined()
  })

  test.each(['abc', '12abc', '1.5', '', '0', '-0', '0x10', '1e3', '99999999999999999'])(
    '%j is not an integer',
    (text) => {
      const read = () => idParam(place({ jobId: text }), 'jobId')
      if (text === '') expect(read).toThrow()
      else expect(read()).toBeNaN()
    },
  )

  test('are negative for a subject typed in on this device', () => {
    expect(idParam(place({ subjectId: '-3' }), 'subjectId')).toBe(-3)
  })
})

describe('the route table', () => {
  const landing = landingRoutes(noLanding)
  const table = [...landing, ...appRoutes, ...staffRouteTable]
  const nameOf = (address: string) => matchRoute(table, address)?.route.name

  test.each([
    ['/', 'home'],
    ['/login?ret=%2Faccount', 'login'],
    ['/account', 'account'],
    ['/maintenance', 'maintenance'],
    ['/riverside', 'customer-studio'],
    ['/riverside/code/ADALVL', 'customer-code'],
    ['/riverside/code', 'customer-code'],
    ['/riverside/12', 'customer-subject-search'],
    ['/riverside/12/search', 'customer-subject-search'],
    ['/riverside/12/select-subject', 'customer-select-subject'],
    ['/riverside/12/unavailable', 'customer-unavailable'],
    ['/riverside/abc', 'customer-subject-search'],
    ['/account/login?ret=%2F', 'moved /account/login'],
    ['/account/logout', 'moved /account/logout'],
    ['/account/forgot-password', 'moved /account/forgot-password'],
  ])('%s is %s', (address, name) => expect(nameOf(address)).toBe(name))

  test.each([{ ret: '/account', expired: true }, { ret: '/account', expired: false }, { expired: true }])(
    'the sign-in reads %j back from its URL',
    (given) => {
      const matched = matchRoute(table, urls.login(given))
      const screen = matched?.route.render(matched.input)
      expect(isValidElement(screen) && screen.props).toEqual({ ret: undefined, ...given })
    },
  )

  test('landing routes, which are matched first, never match a URL of the other routes', () => {
    for (const { patterns: all } of appRoutes) {
      for (const pattern of all) {
        const address = pattern.replaceAll(/:\w+\??/g, '1')
        expect(matchRoute(landing, address)).toBeUndefined()
      }
    }
  })

  test.each([
    '/admin/nowhere',
    '/admin/studios/3/nowhere',
    '/api/x',
    '/photos/1',
    '/login/x',
    '/riverside/%E0%A4%A',
    '/a/b/c/d/e',
  ])('%s matches no route', (address) => expect(nameOf(address)).toBeUndefined())
})

test.each([
  ['/riverside/12/cart?x=1', '/riverside/12/cart?x=1'],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['https://evil.example', undefined],
  ['riverside', undefined],
  ['', undefined],
  [null, undefined],
])('the return path %j becomes %j', (text, path) => expect(safeReturnPath(text)).toBe(path))

describe('customer URLs with invalid ids', () => {
  const good: Record<string, string> = {
    studioSlug: 'riverside',
    jobId: '1',
    subjectId: '7',
    imageId: '9',
    packageIDs: '2',
    cartPackageId: '3',
    orderNumber: 'FP-ZJZ1G9MV',
    linkId: 'link',
  }
  const ids = ['jobId', 'subjectId', 'imageId', 'packageIDs', 'cartPackageId']
  const bad = ['abc', '1.5', '99999999999999999999', '-5', '0']
  const filled = (pattern: string, values: Record<string, string>) =>
    pattern.replace(/:(\w+)\??/g, (_, name: string) => values[name] ?? '')
  const addresses = appRoutes
    .filter(({ frame }) => frame !== 'plain')
    .flatMap((route) => route.patterns.map((pattern) => ({ name: route.name, route, pattern })))
  const cases = addresses.flatMap(({ pattern, ...one }) =>
    ids
      .filter((id) => pattern.includes(`:${id}`))
      .flatMap((id) => bad.map((value) => ({ ...one, id, value, pattern }))),
  )
  const typedHere = ({ id, value }: (typeof cases)[number]) => id === 'subjectId' && value === '-5'

  test.each(cases)('$name with the $id $value leads to no screen, unless a subject can be typed in there', (one) => {
    const address = filled(one.pattern, { ...good, [one.id]: one.value })
    const matched = matchRoute(appRoutes, address)
    expect(matched?.route.isComplete(matched.input) ?? false).toBe(typedHere(one))
  })

  test.each(addresses)('$name ($pattern) takes its ids from the query if the path has none', ({ name, pattern }) => {
    const whole = matchRoute(appRoutes, filled(pattern, good))
    const isOptional = (part: string) => ids.includes(part.slice(1).replace('?', ''))
    const bare = pattern
      .split('/')
      .filter((part) => !isOptional(part))
      .join('/')
    if (bare === '/:studioSlug') return
    const query = ids.filter((id) => pattern.includes(`:${id}`)).map((id) => `${id}=${good[id]}`)
    const moved = withJobInPath(`${filled(bare, good)}?${query.join('&')}`)
    const matched = matchRoute(appRoutes, moved ?? '')
    expect(matched?.route.name).toBe(name)
    expect(whole?.route.isComplete(whole.input)).toBe(true)
    expect(matched && new Set(Object.values(readAll(matched.input)))).toEqual(
      whole && new Set(Object.values(readAll(whole.input))),
    )
  })

  const readAll = (input: RouteInput) =>
    Object.fromEntries(
      [...ids, 'studioSlug'].map((name) => [name, input.params[name] ?? input.query.get(name) ?? undefined]),
    )

  test('an id that is in neither leads to no screen', () => {
    for (const address of ['/riverside/1/edit-cart-package', '/riverside/1/subject/select-package']) {
      const matched = matchRoute(appRoutes, address)
      expect(matched?.route.isComplete(matched.input)).toBe(false)
    }
    expect(withJobInPath('/riverside/cart')).toBeNull()
    expect(withJobInPath('/riverside/nothing?jobId=1')).toBeNull()
    expect(withJobInPath('/riverside/-1/cart?jobId=1')).toBeNull()
  })
})
