import { globSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import { postCartPackage } from '#contract/customer/cart-calls.ts'
import { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import { CustomerJob, getAvailability, getJob, getStudio, JobAvailability } from '#contract/customer/discovery-calls.ts'
import { getJobServices } from '#contract/customer/job-offers.ts'
import { type AnyCall, pathOf, permissions } from '#contract/shapes/call.ts'
import { Cart, CartPackage, CropDimensions, DataField } from '#contract/shapes/cart-structs.ts'
import { Package } from '#contract/shapes/catalogue-structs.ts'
import { GrantedSubject } from '#contract/shapes/job-structs.ts'
import { Dollars, Id } from '#contract/shapes/primitives.ts'
import { problems } from '#contract/shapes/problems.ts'
import { listOf, pageOf } from '#contract/shapes/responses.ts'
import { lineOf, packageOf } from '../domain/cart/cart-fixtures.ts'

type Shape = { type: string; schema: unknown }

/** The field names of a struct; `path` leads to a nested one, through lists to their items. */
const fieldsAt = (struct: Shape, path: string): string[] => {
  const [name, ...rest] = path === '' ? [] : path.split('.')
  if (struct.type === 'array') return fieldsAt(struct.schema as Shape, path) // a list's schema is the struct of its items
  const schema = struct.schema as Record<string, Shape> // an object's schema has its fields
  const field = name === undefined ? undefined : schema[name]
  if (name !== undefined && !field) throw new Error(`there is no ${name}`)
  return field ? fieldsAt(field, rest.join('.')) : Object.keys(schema)
}

const contractFolder = join(import.meta.dirname, '../../src/contract')
const isCall = (value: unknown): value is AnyCall =>
  typeof value === 'object' && value !== null && 'method' in value && 'answer' in value
const endpointOf = ({ method, path }: AnyCall): string => `${method} ${path}`

test('allCalls lists every call that a file of the contract exports, each once', async () => {
  const files = globSync('{customer,studio,system}/**/*.ts', { cwd: contractFolder })
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(contractFolder, file))))
  const exported = modules.flatMap((module) => Object.values(module).filter(isCall).map(endpointOf))
  const listed = Object.values(allCalls).map(endpointOf)
  expect(new Set(listed)).toEqual(new Set(exported))
  expect(listed).toHaveLength(new Set(listed).size)
})

describe('the calls the specification names (section 7)', () => {
  const endpoints = Object.values(allCalls).map(({ method, path }) => `${method} ${path}`)
  test.each([
    'POST /api/auth/login',
    'POST /api/auth/refresh',
    'GET /api/customer/studios/:slug',
    'GET /api/customer/studios/:slug/features',
    'GET /api/customer/studios/:studioId/jobs/:jobId',
    'GET /api/customer/studios/:studioId/jobs/:jobId/job-preferences',
    'GET /api/customer/jobs/:jobId',
    'GET /api/customer/jobs/:jobId/availability',
    'GET /api/customer/jobs/:jobId/greenscreens',
    'GET /api/customer/studios/:studioId/jobs/:jobId/services',
    'GET /api/customer/jobs/:jobId/cart',
    'GET /api/customer/jobs/:jobId/cart/details',
    'DELETE /api/customer/jobs/:jobId/cart',
    'POST /api/customer/jobs/:jobId/carts',
    'POST /api/customer/jobs/:jobId/cartpackages',
    'PATCH /api/customer/jobs/:jobId/cartpackages/:id',
    'DELETE /api/customer/jobs/:jobId/cartpackages/:id',
    'PATCH /api/customer/jobs/:jobId/cartpackageitems/text-nodes/:id',
    'PATCH /api/customer/jobs/:jobId/cartpackageitems/image-nodes/:id',
    'POST /api/customer/jobs/:jobId/cartOrderServices',
    'POST /api/customer/jobs/:jobId/cartOrderServices/presonalization',
    'DELETE /api/customer/jobs/:jobId/cartOrderServices/:id',
    'POST /api/customer/jobs/:jobId/checkout',
    'GET /api/customer/jobs/:jobId/checkout',
    'GET /api/customer/jobs/:jobId/checkout/totals',
    'POST /api/customer/jobs/:jobId/checkout/submit',
    'POST /api/customer/jobs/:jobId/checkout/promo',
    'DELETE /api/customer/jobs/:jobId/checkout/promo',
    'POST /api/customer/jobs/:jobId/checkout/validateaddress',
    'GET /api/customer/jobs/:jobId/orders/:orderId',
    'GET /api/customer/cart/search/',
  ])('the contract has the call %s', (endpoint) => expect(endpoints).toContain(endpoint))

  test('reading a cart requires the order method; clearing it, and reading its checkout or totals, does not', () => {
    const requiringMethod: AnyCall[] = [allCalls.getCart, allCalls.getCartDetails]
    const optionalMethod: AnyCall[] = [allCalls.deleteCart, allCalls.getCheckout, allCalls.getTotals]
    for (const call of [...requiringMethod, ...optionalMethod]) {
      expect(is({ orderMethod: 'gallery' }, call.query)).toBe(true)
      expect(is({ orderMethod: 'hosted' }, call.query)).toBe(false)
    }
    expect(requiringMethod.some((call) => is({}, call.query))).toBe(false)
    expect(optionalMethod.every((call) => is({}, call.query))).toBe(true)
  })

  test('posting a package accepts exactly the fields of the specification', () => {
    const field = { subjectId: 1, name: 'Grade', value: '3', templateId: 2, optionId: 3 }
    const body = { packageId: 1, subjectId: 2, orderMethod: 'prepay', quantity: 1, dataFields: [field] }
    const nodes = { greenScreenBackgroundId: 4, textNodes: [], imageNodes: [] }
    expect(is({ ...body, ...nodes }, postCartPackage.body)).toBe(true)
    expect(is({ ...body, ...nodes, packageID: 1 }, postCartPackage.body)).toBe(false)
  })

  const structs: Record<string, Shape> = {
    'the body of postCartPackage': allCalls.postCartPackage.body,
    'the body of patchCartPackage': allCalls.patchCartPackage.body,
    'the body of patchTextNode': allCalls.patchTextNode.body,
    'the body of patchImageNode': allCalls.patchImageNode.body,
    JobServices: getJobServices.answer,
    ...{ Cart, CropDimensions, CustomerJob, DataField, GrantedSubject, Package },
  }
  test.each([
    ['the body of postCartPackage', 'packageId subjectId orderMethod quantity dataFields greenScreenBackgroundId'],
    ['the body of postCartPackage', 'textNodes imageNodes'],
    ['DataField', 'subjectId name value templateId optionId'],
    ['the body of patchCartPackage', 'greenScreenBackgroundId'],
    ['the body of patchTextNode', 'value'],
    ['the body of patchImageNode', 'cropDimensions frontendCropDimensions rotation subjectImageId groupImageId'],
    ['Package', 'id name retailCost altDescription altName items packageAddon'],
    ['Package.packageAddon', 'type requiredMinPrice requiresStandard packageId'],
    ['Package.items.imageNodes', 'name static positionCoords allowConsumerCrop productCode'],
    ['Package.items.textNodes', 'editable dataSource altDataSource name value'],
    ['Cart', 'jobId id cartPackages subjects cartOrderServicesDetails'],
    ['Cart.cartPackages', 'id packageId subjectId quantity price greenScreen cartPackageItems'],
    ['Cart.cartPackages.cartPackageItems', 'name productCode textNodes imageNodes'],
    ['Cart.cartPackages.cartPackageItems.textNodes', 'packageItemTextNodeId value autoFilled'],
    ['Cart.cartPackages.cartPackageItems.imageNodes', 'packageItemImageNodeId subjectImageId groupImageId'],
    ['Cart.cartPackages.cartPackageItems.imageNodes', 'replacementImageId cropDimensions frontendCropDimensions'],
    ['Cart.cartPackages.cartPackageItems.imageNodes', 'rotation imageThumbnailUrl'],
    ['CropDimensions', 'width height cropX cropY xMid yMid'],
    ['Cart.cartOrderServicesDetails', 'cartOrderServices imageLevel retouches personalizations'],
    ['Cart.cartOrderServicesDetails.cartOrderServices', 'subjectId price orderServiceId cartId'],
    ['Cart.cartOrderServicesDetails.personalizations', 'nameOnWallets nameOnAllPrints yearOnWallets yearOnAllPrints'],
    ['Cart.cartOrderServicesDetails.personalizations', 'price nameToPrint yearToPrint'],
    ['JobServices', 'allowRetouch allowNameOnAllPrints allowNameOnWallets imageLevelService'],
    ['JobServices.services', 'id orderServiceId price enabled'],
    ['GrantedSubject', 'id jobId firstName lastName fields imageThumbnailUrl'],
    ['GrantedSubject.fields', 'id name value hasOptions templateId optionId'],
    ['CustomerJob', 'id version rspoJob importedData prepaySettings gallerySettings'],
    ['CustomerJob.version', 'major minor'],
    ['CustomerJob.prepaySettings', 'importedData'],
    ['CustomerJob.gallerySettings', 'enableYearBookPoseSelection isYearBookPoseSelectionExpired'],
  ])('%s has the fields %s of sections 3 and 7', (path, names) => {
    expect(fieldsAt({ type: 'type', schema: structs }, path)).toEqual(expect.arrayContaining(names.split(' ')))
  })

  test('after a line was found valid, copies with an invalid field are still rejected', () => {
    const line = lineOf(packageOf())
    expect([is(line, CartPackage), is(structuredClone(line), CartPackage)]).toEqual([true, true])
    const [item] = line.cartPackageItems
    const invalidLines = [
      { ...line, quantity: '1' },
      { ...line, cartPackageItems: [{ ...item, name: 7 }] },
      { ...line, price: 1.005 },
    ]
    expect(invalidLines.map((invalidLine) => is(invalidLine, CartPackage))).toEqual([false, false, false])
    expect(is(line, CartPackage)).toBe(true)
  })

  test('checkout details have the fields of section 3', () => {
    const fields =
      'billingAddress customer shippingAddress shippingAddressSameAsBillingAddress payMethod shippingOption ' +
      'isPartOfBatchOrder promoCode paymentToken mailToHome orderMethod jobVersion isV3Job recreatePaymethod'
    expect(Object.keys(CheckoutDetails.schema).toSorted()).toEqual(fields.split(' ').toSorted())
  })

  test('the availability of a job has two flags, and an object for each order method', () => {
    const { published, archived, prepay, gallery } = JobAvailability.schema
    expect([published.type, archived.type, prepay.type, gallery.type]).toEqual(['boolean', 'boolean', 'type', 'type'])
  })
})

describe('the path of a call', () => {
  test('a path contains encoded parameters and query, without empty values', () => {
    expect(pathOf(getJob, { studioId: 1, jobId: 2 }, {})).toBe('/api/customer/studios/1/jobs/2')
    const query = { orderNumber: 'FP-1 2', email: 'a+b@x.test', more: undefined, empty: '' }
    expect(pathOf(allCalls.searchOrder, {}, query)).toBe(
      '/api/customer/cart/search/?orderNumber=FP-1%202&email=a%2Bb%40x.test',
    )
  })

  test('a path with a missing parameter throws', () => {
    expect(() => pathOf(getStudio, {}, {})).toThrow('/api/customer/studios/:slug needs slug')
    expect(() => pathOf(getAvailability, { jobId: null }, {})).toThrow('needs jobId')
  })
})

describe('the generic resource pattern (section 7)', () => {
  const studio = '/api/studioadmin/studios/:studioId'
  const endpoints = new Set(Object.values(allCalls).map(({ method, path }) => `${method} ${path}`))
  const callsOf = (base: string) =>
    [`GET ${base}/:id`, `GET ${base}`, `POST ${base}`, `PUT ${base}/:id`, `DELETE ${base}/:id`].filter((endpoint) =>
      endpoints.has(endpoint),
    )

  test.each([
    `${studio}/organizations`,
    `${studio}/users`,
    `${studio}/package-sets`,
    `${studio}/package-sets/:packageSetId/packages`,
    `${studio}/jobs/:jobId/groups`,
    `${studio}/promotions`,
    `${studio}/jobs/:jobId/promotions`,
    '/api/admin/workflows',
    '/api/admin/taxes',
    '/api/admin/shipping-options',
    '/api/admin/defined-fields',
    '/api/admin/products',
    '/api/admin/tags',
    '/api/admin/order-services',
    '/api/admin/watermarks',
    '/api/admin/features',
  ])('%s has every call of the pattern: get, list, create, replace and delete', (base) => {
    expect(callsOf(base)).toHaveLength(5)
    const list = Object.values<AnyCall>(allCalls).find(({ method, path }) => method === 'GET' && path === base)
    expect(is({}, list?.query ?? Id)).toBe(true)
    expect(is({ currentPage: 1, pageSize: 50, filter: 'a' }, list?.query ?? Id)).toBe(true)
  })

  test('studios have every call of the pattern but deletion', () => {
    const base = '/api/admin/studios'
    expect(callsOf(base)).toEqual([`GET ${base}/:id`, `GET ${base}`, `POST ${base}`, `PUT ${base}/:id`])
  })
})

describe('responses and problems', () => {
  test('each problem has the status of its kind and a message', () => {
    const statuses = Object.fromEntries(Object.entries(problems).map(([name, { status }]) => [name, status]))
    expect(statuses).toMatchObject({
      'bad-request': 400,
      'not-signed-in': 401,
      'authentication-failed': 401,
      'invalid-token': 401,
      'session-unknown': 401,
      'not-allowed': 403,
      'not-found': 404,
      conflict: 409,
      'in-flight': 409,
      'too-large': 413,
      'unsupported-media': 415,
      refused: 422,
      'key-reused': 422,
      'slow-down': 429,
      unexpected: 500,
      maintenance: 503,
    })
    for (const { status, message } of Object.values(problems)) {
      expect(message).toMatch(/^[A-Z]/)
      expect(status === 503).toBe(message === problems.maintenance.message)
    }
  })

  test('the messages quoted by the specification are exact (section 8)', () => {
    expect(problems['authentication-failed'].message).toBe('Failed to authenticate')
    expect(problems['invalid-token'].message).toBe('Invalid token')
    expect(problems.unexpected.message).toBe('An error occurred')
  })

  test('a page of a list has the fields of section 3', () => {
    const page = { resultItems: [1], currentPage: 1, pageSize: 50, totalRecords: 1 }
    expect(is(page, pageOf(Id))).toBe(true)
    expect(is({ ...page, totalRecords: undefined }, pageOf(Id))).toBe(false)
    expect([page, [1], []].every((answer) => is(answer, listOf(Id)))).toBe(true)
    expect([{ ...page, resultItems: ['x'] }, ['x'], {}].some((answer) => is(answer, listOf(Id)))).toBe(false)
  })

  test('permissions are those of section 6', () => {
    expect(permissions).toEqual(['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'])
  })

  test.each([
    [0, true],
    [19.99, true],
    [0.1 + 0.2, true],
    [19.999, false],
    [-1, false],
    [Number.NaN, false],
    ['1', false],
  ])('%s is a valid amount of dollars: %s', (value, expected) => expect(is(value, Dollars)).toBe(expected))
})
