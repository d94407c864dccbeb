import { afterEach, describe, expect, test, vi } from 'vitest'
import { checkoutStep } from '#client/customer/cart/checkout-step.ts'
import { droppedAddOnsMessage, packageChange, removedMessage } from '#client/customer/cart/line-labels.ts'
import { groupLinesBySubject } from '#client/customer/cart/subject-lines.ts'
import { lineTexts } from '#client/customer/shared/cart/line-texts.ts'
import type { Cart, WithdrawnContent } from '#domain/cart/cart.ts'
import { createCartView } from '#local/store/cart-view.ts'
import {
  added,
  addOn,
  cartAfter,
  customField,
  imageChoice,
  lineOf,
  packageItem,
  packageOf,
  textChoice,
  textNode,
} from '../../../domain/cart/cart-fixtures.ts'

const portrait = packageOf({ id: 100, name: 'Portrait' })
const grade = customField({ name: 'Grade', required: true })
const frame = addOn(200, {})
const finished = { imageNodes: [imageChoice(11)], textNodes: [textChoice(21, 'Ada')] }
const viewed = (cart: Cart) => createCartView({ cart, rows: [], numbers: [], sending: null })

describe('the labels of a cart line', () => {
  test('list each text once, private ones masked', () => {
    const contact = textNode({ id: 22, name: 'Contact', dataSource: 'Email' })
    const again = textNode({ id: 23, name: 'First line' })
    const of = packageOf({ items: [packageItem({ textNodes: [textNode(), contact, again] })] })
    const texts = [textChoice(21, 'Ada'), textChoice(22, 'ada@engine.test'), textChoice(23, 'Ada')]
    expect(lineTexts(lineOf(of, { textNodes: texts }))).toEqual([
      { name: 'First line', shown: 'Ada' },
      { name: 'Contact', shown: 'ad***@engine.test' },
    ])
  })

  test('name the add-ons removed with it', () => {
    const [line, extra] = cartAfter(added(portrait, 'l1'), added({ ...frame, name: 'Frame' }, 'l2')).cartPackages
    if (!line || !extra) throw new Error('two lines were added')
    expect(droppedAddOnsMessage([line])).toBeNull()
    expect(droppedAddOnsMessage([extra])).toBe('Frame left the cart too: it goes only with what was there before.')
    expect(removedMessage([line, extra])).toBe('Portrait and Frame removed')
  })

  test('describe the studio’s changes, before and after', () => {
    const line = lineOf(portrait)
    const dearer = { ...portrait, version: 2, retailCost: 27.5 }
    expect(packageChange(line, [portrait])).toBeNull()
    expect(packageChange(line, undefined)).toBeNull()
    expect(packageChange(line, [frame])).toEqual({ current: null })
    expect(packageChange(line, [dearer])).toEqual({ current: dearer, oldCents: 2500, newCents: 2750 })
  })
})

describe('the cart', () => {
  test('is grouped by subject, each with its own total', () => {
    const people = groupLinesBySubject(viewed(cartAfter(added(portrait, 'l1', 2), added(frame, 'l2'))), undefined)
    expect(people.map((one) => [one.subject.subjectId, one.lines.length, one.cents])).toEqual([[7, 2, 5500]])
  })
})

describe('the checkout step', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  const view = viewed(cartAfter(added(portrait, 'l1', 1, finished)))
  const facts = { view, offered: [portrait], fields: undefined, services: undefined, online: true, closed: null }

  test('leads to checkout once the studio’s questions are answered', () => {
    const dataFields = [{ subjectId: 7, name: 'Grade', value: '4', templateId: null, optionId: null }]
    const told = viewed(cartAfter(added(portrait, 'l1', 1, { ...finished, dataFields })))
    expect(checkoutStep({ ...facts, view: told, fields: [grade] })).toMatchObject({ may: true })
  })

  test('leads to checkout once everything is sent, and through the confirmation step before', () => {
    expect(checkoutStep(facts)).toEqual({ may: true, to: 'checkout' })
    const waiting = { ...view, status: { kind: 'saved', label: 'Saved on this phone' } } as const
    expect(checkoutStep({ ...facts, view: waiting })).toEqual({ may: true, to: 'confirm' })
  })

  const [sold] = view.lines
  const withdrawnAs = (withdrawn: WithdrawnContent) => ({
    ...view,
    lines: view.lines.map((one) => {
      const { line } = sold ?? one
      return { ...one, line: { ...line, snapshot: { ...line.snapshot, withdrawn } } }
    }),
  })

  const details = view.cart.cartOrderServicesDetails
  const retouch = {
    ...{ id: 1, cartId: 1, subjectId: 7, personId: null, orderServiceId: 1, price: 8 },
    ...{ level: 'basic' as const, imageLookupId: 501, withdrawn: true },
  }
  const retouchWithdrawn = {
    ...view,
    cart: { ...view.cart, cartOrderServicesDetails: { ...details, retouches: [retouch] } },
  }

  test('says that the server did not respond while online', () => {
    vi.stubGlobal('navigator', { onLine: true })
    expect(checkoutStep({ ...facts, online: false })).toEqual({
      may: false,
      why: 'There was no answer yet. Your cart is saved.',
    })
  })

  test.each([
    ['it is offline', { online: false }, 'Paying needs a connection. Your cart is saved.'],
    ['the job is closed', { closed: 'Ordering has ended' }, 'Ordering has ended'],
    ['the studio accepts no payments', { unpayable: true }, 'The studio can’t take payments yet'],
    [
      'a payment is pending',
      { view: { ...view, cart: { ...view.cart, state: 'frozen' as const } } },
      'Your payment is being confirmed',
    ],
    ['a package changed', { offered: [{ ...portrait, version: 2 }] }, 'Look at what the studio changed'],
    ['a package was withdrawn', { offered: [] }, 'Look at what the studio changed'],
    [
      'a package is incomplete',
      { view: viewed(cartAfter(added(portrait, 'l1'))) },
      'Something is missing in a package',
    ],
    [
      'the subject is hidden',
      { view: withdrawnAs({ person: 'hidden', imageIds: [] }) },
      'A package can’t be ordered any more',
    ],
    [
      'a change is not synced',
      { view: withdrawnAs({ person: 'unconfirmed', imageIds: [] }) },
      'Confirm the person a package is for',
    ],
    [
      'an image was withdrawn',
      { view: withdrawnAs({ person: null, imageIds: [501] }) },
      'Choose another photo for a package',
    ],
    ['retouching is withdrawn', { view: retouchWithdrawn }, 'Choose another photo for the retouching'],
    ['a custom field is unanswered', { fields: [grade] }, 'The studio asks about Ada'],
  ])('shows why checkout is blocked if %s', (_, change, why) => {
    vi.stubGlobal('navigator', { onLine: false })
    expect(checkoutStep({ ...facts, ...change })).toEqual({ may: false, why })
  })
})
