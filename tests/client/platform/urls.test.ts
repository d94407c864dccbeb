import fc from 'fast-check'
import { isValidElement } from 'react'
import { describe, expect, test } from 'vitest'
import { appRoutes } from '#client/app/app-routes.tsx'
import { withJobInPath } from '#client/app/app-screens.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { matchRoute } from '#client/app/match-route.ts'
import {
  readCartPackage,
  readCustomer,
  readLink,
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
  .sort(([nameA], [nameB]) => Number(nameA === 'customerSubjectSearch') - Number(nameB === 'customerSubjectSearch'))
  .map(([name, routePatterns]) =>
    defineRoute({ name, patterns: routePatterns, title: null, load: async () => () => null, read: () => ({}) }),
  )

const findRoute = (address: string): { name: string; input: RouteInput } => {
  const match = matchRoute(routes, address)
  if (!match) throw new Error(`${address} matches no route`)
  return { name: match.route.name, input: match.input }
}

const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).filter((text) => matchRoute(routes, `/${text}`) !== undefined)
const id = fc.integer({ min: 1, max: 2_000_000_000 })
const subject = fc.oneof(id, fc.integer({ min: -1000, max: -1 }))
const optionalId = fc.option(id, { nil: undefined })
const graphemes = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => !/^\.{1,2}$/.test(text))

describe('every generated URL is parsed back to the same values', () => {
  const jobInputs = { studioSlug: slug, jobId: id }

  test('URLs of a job', () => {
    fc.assert(
      fc.property(fc.record(jobInputs), (route) => {
        for (const make of [urls.subjectSearch, urls.cart, urls.checkout, urls.checkoutReview, urls.selectSubject]) {
          expect(readCustomer(findRoute(make(route)).input)).toEqual(route)
        }
        expect(findRoute(urls.cart(route)).name).toBe('customerCart')
        expect(findRoute(urls.orderServices(route)).name).toBe('customerCartOrderServices')
        expect(findRoute(urls.confirmCart(route)).name).toBe('customerConfirmCart')
        expect(findRoute(`/${route.studioSlug}/${route.jobId}`).name).toBe('customerSubjectSearch')
      }),
    )
  })

  test('URLs of packages', () => {
    const routeInputs = fc.record({
      ...jobInputs,
      subjectId: subject,
      imageId: optionalId,
      packageIds: fc.array(id, { minLength: 1 }),
      like: fc.option(fc.array(id, { minLength: 1 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(routeInputs, ({ packageIds, like, ...input }) => {
        expect(readSelectPackage(findRoute(urls.selectPackage(input)).input)).toEqual(input)
        const { imageId: _, ...subjectInput } = input
        expect(readSubject(findRoute(urls.personDetails(subjectInput)).input)).toEqual(subjectInput)
        expect(readPackageDetails(findRoute(urls.packageDetails({ ...input, packageIds, like })).input)).toEqual({
          ...input,
          packageIds,
          like,
        })
      }),
    )
  })

  test('URLs of downloads with any link id', () => {
    fc.assert(
      fc.property(fc.record({ studioSlug: jobInputs.studioSlug, linkId: graphemes }), (input) => {
        expect(readLink(findRoute(urls.download(input)).input)).toEqual(input)
      }),
    )
  })

  test('URLs of cart packages, and of orders with any order number', () => {
    fc.assert(
      fc.property(
        fc.record({ ...jobInputs, cartPackageId: id }),
        graphemes,
        ({ cartPackageId, ...route }, orderNumber) => {
          expect(readCartPackage(findRoute(urls.editCartPackage({ ...route, cartPackageId })).input)).toEqual({
            ...route,
            cartPackageId,
          })
          const storedNumber = normaliseOrderNumber(orderNumber) ?? orderNumber
          expect(readOrder(findRoute(urls.order({ ...route, orderNumber })).input)).toEqual({
            ...route,
            orderNumber: storedNumber,
          })
        },
      ),
    )
  })
})

describe('ids', () => {
  const routeInput = (path: Record<string, string>, query = ''): RouteInput => ({
    params: path,
    query: new URLSearchParams(query),
  })

  test('are read from the path, or from the query if the path has none', () => {
    expect(idParam(routeInput({ jobId: '12' }, 'jobId=13'), 'jobId')).toBe(12)
    expect(idParam(routeInput({}, 'jobId=13'), 'jobId')).toBe(13)
    expect(readSelectPackage(findRoute('/riverside/3/subject/select-package?subjectId=7&imageId=9').input)).toEqual({
      studioSlug: 'riverside',
      jobId: 3,
      subjectId: 7,
      imageId: 9,
    })
  })

  test('throw if they are required and missing, and are undefined if they are optional and missing', () => {
    expect(() => idParam(routeInput({}), 'jobId')).toThrow('This address needs jobId')
    expect(() => textParam(routeInput({}), 'orderNumber')).toThrow('This address needs orderNumber')
    expect(() => readSelectPackage(findRoute('/riverside/3/subject/select-package').input)).toThrow('needs subjectId')
    expect(optionalIdParam(routeInput({}), 'imageId')).toBeUndefined()
  })

  test.each(['abc', '12abc', '1.5', '', '0', '-0', '0x10', '1e3', '99999999999999999'])(
    'the text %j is no id',
    (text) => {
      const read = () => idParam(routeInput({ jobId: text }), 'jobId')
      if (text === '') expect(read).toThrow()
      else expect(read()).toBeNaN()
    },
  )

  test('are negative for a subject typed in on this device', () => {
    expect(idParam(routeInput({ subjectId: '-3' }), 'subjectId')).toBe(-3)
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
    ['/account/login?ret=%2F', 'redirect /account/login'],
    ['/account/logout', 'redirect /account/logout'],
    ['/account/forgot-password', 'redirect /account/forgot-password'],
  ])('the URL %s leads to the route %s', (address, name) => expect(nameOf(address)).toBe(name))

  test.each([{ ret: '/account', expired: true }, { ret: '/account', expired: false }, { expired: true }])(
    'the sign-in reads %j back from its URL',
    (search) => {
      const match = matchRoute(table, urls.login(search))
      const screen = match?.route.render(match.input)
      expect(isValidElement(screen) && screen.props).toEqual({ ret: undefined, ...search })
    },
  )

  test('landing routes, which are matched first, never match a URL of the other routes', () => {
    for (const { patterns: routePatterns } of appRoutes) {
      for (const pattern of routePatterns) {
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
  ])('the URL %s matches no route', (address) => expect(nameOf(address)).toBeUndefined())
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
  const validParams: Record<string, string> = {
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
  const invalidIds = ['abc', '1.5', '99999999999999999999', '-5', '0']
  const fillPattern = (pattern: string, values: Record<string, string>) =>
    pattern.replace(/:(\w+)\??/g, (_, name: string) => values[name] ?? '')
  const addresses = appRoutes
    .filter(({ frame }) => frame !== 'plain')
    .flatMap((route) => route.patterns.map((pattern) => ({ name: route.name, route, pattern })))
  const cases = addresses.flatMap(({ pattern, ...target }) =>
    ids
      .filter((id) => pattern.includes(`:${id}`))
      .flatMap((id) => invalidIds.map((value) => ({ ...target, id, value, pattern }))),
  )
  const isTypedInSubject = ({ id, value }: (typeof cases)[number]) => id === 'subjectId' && value === '-5'

  test.each(cases)(
    '$name with the $id $value leads to a screen only if it is a typed-in subject’s id',
    (invalidUrl) => {
      const address = fillPattern(invalidUrl.pattern, { ...validParams, [invalidUrl.id]: invalidUrl.value })
      const match = matchRoute(appRoutes, address)
      expect(match?.route.isComplete(match.input) ?? false).toBe(isTypedInSubject(invalidUrl))
    },
  )

  test.each(addresses)('$name ($pattern) takes its ids from the query if the path has none', ({ name, pattern }) => {
    const pathMatch = matchRoute(appRoutes, fillPattern(pattern, validParams))
    const isId = (part: string) => ids.includes(part.slice(1).replace('?', ''))
    const patternWithoutIds = pattern
      .split('/')
      .filter((part) => !isId(part))
      .join('/')
    if (patternWithoutIds === '/:studioSlug') return
    const query = ids.filter((id) => pattern.includes(`:${id}`)).map((id) => `${id}=${validParams[id]}`)
    const urlWithJob = withJobInPath(`${fillPattern(patternWithoutIds, validParams)}?${query.join('&')}`)
    const match = matchRoute(appRoutes, urlWithJob ?? '')
    expect(match?.route.name).toBe(name)
    expect(pathMatch?.route.isComplete(pathMatch.input)).toBe(true)
    expect(match && new Set(Object.values(readParams(match.input)))).toEqual(
      pathMatch && new Set(Object.values(readParams(pathMatch.input))),
    )
  })

  const readParams = (input: RouteInput) =>
    Object.fromEntries(
      [...ids, 'studioSlug'].map((name) => [name, input.params[name] ?? input.query.get(name) ?? undefined]),
    )

  test('an id that is neither in the path nor in the query leads to no screen', () => {
    for (const address of ['/riverside/1/edit-cart-package', '/riverside/1/subject/select-package']) {
      const match = matchRoute(appRoutes, address)
      expect(match?.route.isComplete(match.input)).toBe(false)
    }
    expect(withJobInPath('/riverside/cart')).toBeNull()
    expect(withJobInPath('/riverside/nothing?jobId=1')).toBeNull()
    expect(withJobInPath('/riverside/-1/cart?jobId=1')).toBeNull()
  })
})
