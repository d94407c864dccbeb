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
} from '#tests/domain/cart/cart-fixtures.ts'

const portrait = packageOf({ id: 100, name: 'Portrait' })
const grade = customField({ name: 'Grade', required: true })
const frame = addOn(200, {})
const finished = { imageNodes: [imageChoice(11)], textNodes: [textChoice(21, 'Ada')] }
const viewOf = (cart: Cart) => createCartView({ cart, rows: [], numbers: [], sending: null })

describe('the labels of a cart line', () => {
  test('list each text once, private ones masked', () => {
    const contact = textNode({ id: 22, name: 'Contact', dataSource: 'Email' })
    const sameName = textNode({ id: 23, name: 'First line' })
    const twoTextsPackage = packageOf({ items: [packageItem({ textNodes: [textNode(), contact, sameName] })] })
    const texts = [textChoice(21, 'Ada'), textChoice(22, 'ada@engine.test'), textChoice(23, 'Ada')]
    expect(lineTexts(lineOf(twoTextsPackage, { textNodes: texts }))).toEqual([
      { name: 'First line', value: 'Ada' },
      { name: 'Contact', value: 'ad***@engine.test' },
    ])
  })

  test('name the add-ons removed with it', () => {
    const [line, extra] = cartAfter(added(portrait, 'l1'), added({ ...frame, name: 'Frame' }, 'l2')).cartPackages
    if (!line || !extra) throw new Error('the cart does not have two lines')
    expect(droppedAddOnsMessage([line])).toBeNull()
    expect(droppedAddOnsMessage([extra])).toBe('Frame removed too: not available with what’s left.')
    expect(removedMessage([line, extra])).toBe('Portrait and Frame removed')
  })

  test('describe the studio’s changes, before and after', () => {
    const line = lineOf(portrait)
    const raisedPortrait = { ...portrait, version: 2, retailCost: 27.5 }
    expect(packageChange(line, [portrait])).toBeNull()
    expect(packageChange(line, undefined)).toBeNull()
    expect(packageChange(line, [frame])).toEqual({ current: null })
    expect(packageChange(line, [raisedPortrait])).toEqual({ current: raisedPortrait, oldCents: 2500, newCents: 2750 })
  })
})

describe('the cart', () => {
  test('is grouped by subject, each with its own total', () => {
    const groups = groupLinesBySubject(viewOf(cartAfter(added(portrait, 'l1', 2), added(frame, 'l2'))), undefined)
    expect(groups.map((group) => [group.subject.subjectId, group.lines.length, group.cents])).toEqual([[7, 2, 5500]])
  })
})

describe('the checkout step', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  const view = viewOf(cartAfter(added(portrait, 'l1', 1, finished)))
  const baseInput = {
    view,
    offeredPackages: [portrait],
    fields: undefined,
    services: undefined,
    online: true,
    closedReason: null,
  }

  test('leads to checkout once the studio’s questions are answered', () => {
    const dataFields = [{ subjectId: 7, name: 'Grade', value: '4', templateId: null, optionId: null }]
    const answeredView = viewOf(cartAfter(added(portrait, 'l1', 1, { ...finished, dataFields })))
    expect(checkoutStep({ ...baseInput, view: answeredView, fields: [grade] })).toMatchObject({ canContinue: true })
  })

  test('leads to checkout once everything is sent, and to the confirmation step before that', () => {
    expect(checkoutStep(baseInput)).toEqual({ canContinue: true, to: 'checkout' })
    const unsentView = { ...view, status: { kind: 'saved', label: 'Saved on this phone' } } as const
    expect(checkoutStep({ ...baseInput, view: unsentView })).toEqual({ canContinue: true, to: 'confirm' })
  })

  const [firstLine] = view.lines
  const withdrawnAs = (withdrawn: WithdrawnContent) => ({
    ...view,
    lines: view.lines.map((lineView) => {
      const { line } = firstLine ?? lineView
      return { ...lineView, line: { ...line, snapshot: { ...line.snapshot, withdrawn } } }
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

  test('says that the server did not respond if it is unreachable while the device has a network', () => {
    vi.stubGlobal('navigator', { onLine: true })
    expect(checkoutStep({ ...baseInput, online: false })).toEqual({
      canContinue: false,
      why: 'No answer yet. Your cart is saved.',
    })
  })

  test.each([
    ['it is offline', { online: false }, 'You can pay once you’re online. Your cart is saved.'],
    ['the job is closed', { closedReason: 'Ordering has ended' }, 'Ordering has ended'],
    ['the studio accepts no payments', { isPaymentUnavailable: true }, 'The studio can’t take payments yet'],
    [
      'a payment is pending',
      { view: { ...view, cart: { ...view.cart, state: 'frozen' as const } } },
      'Your payment is being confirmed',
    ],
    ['a package changed', { offeredPackages: [{ ...portrait, version: 2 }] }, 'See what the studio changed'],
    ['a package was withdrawn', { offeredPackages: [] }, 'See what the studio changed'],
    ['a package is incomplete', { view: viewOf(cartAfter(added(portrait, 'l1'))) }, 'A package isn’t finished'],
    [
      'the subject is hidden',
      { view: withdrawnAs({ person: 'hidden', imageIds: [] }) },
      'A package can’t be ordered any more',
    ],
    [
      'the subject is not confirmed',
      { view: withdrawnAs({ person: 'unconfirmed', imageIds: [] }) },
      'Confirm who a package is for',
    ],
    [
      'an image was withdrawn',
      { view: withdrawnAs({ person: null, imageIds: [501] }) },
      'Choose another photo for a package',
    ],
    ['the photo to retouch was withdrawn', { view: retouchWithdrawn }, 'Choose another photo for the retouching'],
    ['a custom field is unanswered', { fields: [grade] }, 'Answer the questions about Ada'],
  ])('shows why checkout is blocked if %s', (_, change, why) => {
    vi.stubGlobal('navigator', { onLine: false })
    expect(checkoutStep({ ...baseInput, ...change })).toEqual({ canContinue: false, why })
  })
})
