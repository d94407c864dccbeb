import 'fake-indexeddb/auto'
import { useLiveQuery } from 'dexie-react-hooks'
import { act } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkoutStep } from '#client/customer/cart/checkout-step.ts'
import { ServiceLines } from '#client/customer/cart/order-services/service-lines.tsx'
import { SubjectServices } from '#client/customer/cart/order-services/subject-services.tsx'
import { RejectedChanges } from '#client/customer/cart/rejected-changes.tsx'
import { lastRemoval, undoLastRemoval } from '#client/customer/cart/remove-with-undo.ts'
import { groupLinesBySubject } from '#client/customer/cart/subject-lines.ts'
import { UndoRemovalNotice } from '#client/customer/cart/undo-removal-notice.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { JobServices, PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { customiseLine, readCart } from '#local/cart.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { removeOrderService } from '#local/outbox/undoable-removals.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import {
  cleanUp,
  click,
  countElements,
  getButton,
  getElement,
  render,
  type,
  waitForPage,
} from '#support/rendering/render.tsx'
import { addOn, imageChoice, noContent, packageOf, snapshotOf } from '../../../../domain/cart/cart-fixtures.ts'
import {
  allServices,
  basicRetouch,
  keyOf,
  nameAndYear,
  nameService,
  plainService,
  premiumRetouch,
  serviceSnapshotOf,
} from '../../../../domain/cart/order-service-fixtures.ts'
import { springJobContext } from '../../../job-context-examples.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const route = { studioSlug: 'riverside', jobId: 1 }
const portrait = packageOf({ id: 100, name: 'Portrait' })
const everything: JobServices = { ...allServices, services: [basicRetouch, premiumRetouch, nameService, plainService] }

const view = () => readCart(database, key.jobId, key.orderMethod)
const cents = async () => (await view()).totalCents
const details = async () => (await view()).cart.cartOrderServicesDetails

const add = async (of: Package, content = noContent) => {
  const owner = { subjectId: 7, personId: null }
  const answer = await addLine(database, stamp, { ...key, ...owner, snapshot: snapshotOf(of), quantity: 1, content })
  if (!answer.ok) throw new Error(answer.message)
}

beforeEach(async () => {
  await database.delete()
  await database.open()
  lastRemoval.set(null)
  await add(portrait)
})

const Person = ({ offered }: { offered: JobServices }) => {
  const now = useLiveQuery(view, [])
  const [subject] = now ? groupLinesBySubject(now, offered) : []
  return now && subject ? <SubjectServices cartKey={key} {...{ subject, offered }} view={now} /> : null
}

const open = async (offered = everything) => {
  render(<Person offered={offered} />)
  await waitForPage(() => expect(countElements('section')).toBe(1))
}

const box = (words: string): HTMLInputElement => {
  const label = [...document.querySelectorAll('label')].find((each) => each.textContent?.includes(words))
  const found = label && document.querySelector<HTMLInputElement>(`[id="${label.htmlFor}"]`)
  const input = found ?? label?.querySelector('input')
  if (!input) throw new Error(`nothing is called ${words}`)
  return input
}

describe('a subject’s services', () => {
  test('are ordered with one tap, replaced by another level, and removed', async () => {
    await open()
    click(box('Service 1'))
    await waitForPage(async () => expect(await cents()).toBe(2500 + 800))
    click(box('Service 2'))
    await waitForPage(async () => {
      expect(await cents()).toBe(2500 + 1500)
      expect((await details()).retouches).toMatchObject([{ level: 'premium', imageLookupId: null }])
    })
    click(box('Service 4'))
    await waitForPage(async () => expect(await cents()).toBe(2500 + 1500 + 500))
    await waitForPage(() => expect(box('Service 4').checked).toBe(true))
    click(box('Service 4'))
    click(box('No retouching'))
    await waitForPage(async () => expect(await cents()).toBe(2500))
  })

  test('are per image if the job offers them that way, for each image in the packages', async () => {
    await add(packageOf({ id: 101 }), { ...noContent, imageNodes: [imageChoice(11, 501)] })
    await open({ ...everything, imageLevelService: true })
    await waitForPage(() => expect(countElements('fieldset')).toBe(1))
    expect(getElement('fieldset legend').textContent).toBe('Photo 1')
    click(box('Service 1'))
    await waitForPage(async () =>
      expect((await details()).retouches).toMatchObject([{ level: 'basic', imageLookupId: 501 }]),
    )
  })

  test('that need an image say so if there is none', async () => {
    await open({ ...everything, imageLevelService: true })
    expect(document.body.textContent).toContain('none of Ada’s own is in the cart yet')
  })
})

describe('name and year', () => {
  const printed = async () => (await details()).personalizations[0]

  test('default to the subject’s name and the current year on all prints', async () => {
    await open()
    click(box('Service 3'))
    await waitForPage(async () =>
      expect(await printed()).toMatchObject({
        nameToPrint: 'Ada Lovelace',
        yearToPrint: new Date().toISOString().slice(0, 4),
        nameOnAllPrints: true,
        yearOnAllPrints: true,
        nameOnWallets: false,
        yearOnWallets: false,
        price: 10,
      }),
    )
    await waitForPage(() => expect(document.body.textContent).toContain('Prints “Ada Lovelace” and'))
  })

  test.each([
    ['an empty name', 'Name to print', '', 'This field is required'],
    ['unprintable letters in the name', 'Name to print', 'Ada 😀', 'The print can’t show “😀”'],
    ['an unprintable year', 'Year to print', '2027 年', 'The print can’t show “年”'],
  ])('with %s are not ordered and the cart keeps the last valid choice', async (_, field, words, why) => {
    await open()
    click(box('Service 3'))
    await waitForPage(() => expect(box('Service 3').checked).toBe(true))
    await waitForPage(() => expect(document.body.textContent).toContain('Prints “Ada Lovelace”'))
    const before = box(field).value
    type(box(field), words)
    expect(document.body.textContent).toContain(why)
    expect(document.body.textContent).toContain('In your cart is still “Ada Lovelace”')
    expect(await printed()).toMatchObject({ nameToPrint: 'Ada Lovelace' })
    type(box(field), `${before}!`)
    await waitForPage(() => expect(document.body.textContent).toContain(`Prints “Ada Lovelace`))
    await waitForPage(async () => expect(JSON.stringify(await printed())).toContain(`"${before}!"`))
  })

  test('do not validate a name that is not printed', async () => {
    await open()
    click(box('Service 3'))
    await waitForPage(() => expect(document.body.textContent).toContain('Prints “Ada Lovelace”'))
    type(box('Name to print'), '李')
    expect(document.body.textContent).toContain('The print can’t show “李”')
    click(box('Name on all prints'))
    expect(document.body.textContent).not.toContain('can’t show')
    await waitForPage(async () =>
      expect(await printed()).toMatchObject({ nameOnAllPrints: false, yearOnAllPrints: true }),
    )
  })

  test('are offered only for prints on which they may appear', async () => {
    await open({ ...everything, allowNameOnWallets: false })
    click(box('Service 3'))
    await waitForPage(() => expect(document.body.textContent).toContain('Name on all prints'))
    expect(document.body.textContent).not.toContain('wallets')
  })

  test('leave no checked box for an option that is no longer offered', async () => {
    const [before, after] = [everything, { ...everything, allowNameOnAllPrints: false }]
    const { again } = render(<Person offered={before} />)
    await waitForPage(() => expect(countElements('section')).toBe(1))
    click(box('Service 3'))
    await waitForPage(() => expect(document.body.textContent).toContain('Prints “Ada Lovelace”'))
    again(<Person offered={after} />)
    await waitForPage(() => expect(document.body.textContent).toContain('can’t be printed as you chose'))
    click(getButton('Print as offered $10.00'))
    await waitForPage(() => expect(box('Name on wallets').checked).toBe(true))
    type(box('Name to print'), 'Ada L')
    await waitForPage(async () =>
      expect(await printed()).toMatchObject({ nameToPrint: 'Ada L', nameOnWallets: true, nameOnAllPrints: false }),
    )
  })

  test('start on wallets if only those are offered', async () => {
    await open({ ...everything, allowNameOnAllPrints: false })
    click(box('Service 3'))
    await waitForPage(async () =>
      expect(await printed()).toMatchObject({ nameOnWallets: true, nameOnAllPrints: false }),
    )
  })
})

const Lines = ({ offered }: { offered: JobServices | undefined }) => {
  const now = useLiveQuery(view, [])
  const [subject] = now ? groupLinesBySubject(now, offered) : []
  return (
    <JobContext value={springJobContext()}>
      {now && subject && <ServiceLines cartKey={key} {...{ route, subject, offered }} view={now} />}
    </JobContext>
  )
}

const order = async (of = basicRetouch, personalization: PersonalizationChoice | null = null, with_ = {}) => {
  const target = { subjectId: 7, personId: null, imageLookupId: null, ...with_ }
  const snapshot = serviceSnapshotOf(of, { imageLevelService: target.imageLookupId !== null })
  const result = await setOrderService(database, stamp, { ...key, for: target, snapshot, personalization })
  if (!result.ok) throw new Error(result.message)
}

const stepFacts = { offered: undefined, fields: [], online: true, closed: null }

describe('services in the cart', () => {
  test('are not mentioned for a job that offers none', async () => {
    render(<Lines offered={{ ...allServices, services: [] }} />)
    await act(view)
    expect(document.body.textContent).toBe('')
  })

  test('remove the add-ons that depended on them, announce it, and can be restored completely', async () => {
    await order(premiumRetouch)
    await add(addOn(200, { type: 'addon_price', requiredMinPrice: 30 }))
    render(<Lines offered={everything} />)
    await waitForPage(() => expect(document.body.textContent).toContain('Service 2'))
    click(getButton('Remove Service 2'))
    await waitForPage(async () => expect((await view()).lines).toHaveLength(1))
    render(<UndoRemovalNotice cartKey={key} lineCount={1} afterwards="cart" />)
    expect(document.body.textContent).toContain('Service 2 and Package A removed')
    expect(document.body.textContent).toContain('left the cart too')
    await waitForPage(async () => {
      await undoLastRemoval()
      expect((await view()).lines).toHaveLength(2)
      expect((await details()).retouches).toHaveLength(1)
    })
  })

  test('with a changed price show both prices and cost the new one only after it is accepted', async () => {
    await order()
    const dearer = { ...basicRetouch, price: 9.5 }
    render(<Lines offered={{ ...everything, services: [dearer] }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('was $8.00, now $9.50'))
    expect(await cents()).toBe(2500 + 800)
    click(getButton('Accept $9.50'))
    await waitForPage(async () => expect(await cents()).toBe(2500 + 950))
    await waitForPage(() => expect(countElements('[role=status]')).toBe(0))
  })

  test('printed on a product no longer offered can be moved to one that is, in one tap', async () => {
    await order(nameService, nameAndYear('Ada'))
    render(<Lines offered={{ ...everything, allowNameOnAllPrints: false }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('Service 3 can’t be printed as you chose'))
    expect(document.body.textContent).toContain('Offered now: “Ada” and “2027” on wallets.')
    click(getButton('Print as offered $10.00'))
    await waitForPage(async () =>
      expect((await details()).personalizations).toMatchObject([{ nameOnAllPrints: false, nameOnWallets: true }]),
    )
    await waitForPage(() => expect(document.body.textContent).not.toContain('can’t be printed'))
  })

  test('sold differently and at another price show both prices too', async () => {
    const dearer = everything.services.map((one) => ({ ...one, price: one.price + 1 }))
    await order(nameService, nameAndYear('Ada'))
    render(<Lines offered={{ ...everything, services: dearer, allowNameOnAllPrints: false }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('was $10.00, now $11.00'))
    expect(document.body.textContent).toContain('Offered now: “Ada” and “2027” on wallets.')
    cleanUp()
    await removeOrderService(database, stamp, { ...key, key: keyOf(nameService) })
    await order(basicRetouch)
    render(<Lines offered={{ ...everything, services: dearer, imageLevelService: true }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('Service 1 goes by the photo now'))
    expect(document.body.textContent).toContain('was $8.00, now $9.00')
  })

  test.each([
    ['the photo it is for', true, 'Photo 1 $8.00'],
    ['all photos', false, 'Retouch all photos $8.00'],
  ])('for retouching change to %s in one tap, and are charged once', async (_, byPicture, words) => {
    await add(packageOf({ id: 101 }), { ...noContent, imageNodes: [imageChoice(11, 501)] })
    await order(basicRetouch, null, byPicture ? {} : { imageLookupId: 501 })
    const offered = { ...everything, imageLevelService: byPicture }
    expect(checkoutStep({ ...stepFacts, view: await view(), services: offered }).may).toBe(false)
    await open(offered)
    await waitForPage(() => expect(document.body.textContent).toContain('The studio changed this after you ordered it'))
    click(getButton(words))
    await waitForPage(async () =>
      expect((await details()).retouches).toMatchObject([{ imageLookupId: byPicture ? 501 : null }]),
    )
    expect(await cents()).toBe(5000 + 800)
    await waitForPage(() => expect(document.body.textContent).not.toContain('The studio changed this'))
  })

  test('that were withdrawn can only be removed', async () => {
    await order()
    render(<Lines offered={{ ...everything, services: [] }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('Basic retouching is not on offer any more'))
    click(getButton('Remove'))
    await waitForPage(async () => expect(await cents()).toBe(2500))
  })

  describe('retouching of an image that is no longer in its package', () => {
    const byPicture = { ...everything, imageLevelService: true }
    const retouched = async () => (await details()).retouches.map((one) => one.imageLookupId)

    /** Retouches an image, then replaces it by another one; an add-on depends on the retouching. */
    const begin = async (then = imageChoice(11, 502)) => {
      const album = packageOf({ id: 101 })
      await add(album, { ...noContent, imageNodes: [imageChoice(11, 501)] })
      const target = { subjectId: 7, personId: null, imageLookupId: 501 }
      const made = serviceSnapshotOf(basicRetouch, { imageLevelService: true })
      await setOrderService(database, stamp, { ...key, for: target, snapshot: made, personalization: null })
      await add(addOn(200, { type: 'addon_price', requiredMinPrice: 58 }))
      const line = (await view()).lines.find((one) => one.line.packageId === album.id)?.line
      if (!line) throw new Error('the album was not added')
      const content = { ...noContent, imageNodes: [then] }
      await customiseLine(database, stamp, { ...key, lineId: line.lineId, content })
      render(<Lines offered={byPicture} />)
      render(<UndoRemovalNotice cartKey={key} lineCount={3} afterwards="cart" />)
      await waitForPage(() =>
        expect(document.body.textContent).toContain('is for a photo that is in no package any more'),
      )
    }

    test('moves to the current image with one tap, at the same price, and back', async () => {
      await begin()
      const before = await cents()
      click(getButton('Move to Photo 1'))
      await waitForPage(() => {
        expect(document.body.textContent).toContain('Service 1 moved to Photo 1')
        expect(document.body.textContent).not.toContain('in no package any more')
      })
      expect(await retouched()).toEqual([502])
      expect(await cents()).toBe(before)
      expect((await view()).lines).toHaveLength(3)
      click(getButton('Undo'))
      await waitForPage(() => {
        expect(document.body.textContent).not.toContain('moved to')
        expect(document.body.textContent).toContain('in no package any more')
      })
      expect(await retouched()).toEqual([501])
      expect(await cents()).toBe(before)
      expect((await view()).lines).toHaveLength(3)
    })

    test('can be removed and restored', async () => {
      await begin()
      click(getButton('Remove'))
      await waitForPage(() => {
        expect(document.body.textContent).toContain('Service 1 and Package A removed')
        expect(document.body.textContent).not.toContain('in no package any more')
      })
      expect(await retouched()).toEqual([])
      click(getButton('Undo'))
      await waitForPage(() => {
        expect(document.body.textContent).not.toContain('removed')
        expect(document.body.textContent).toContain('in no package any more')
      })
      expect(await retouched()).toEqual([501])
      expect((await view()).lines).toHaveLength(3)
    })

    test('says so if the studio withdrew the image, and can be moved or removed', async () => {
      await begin()
      const { cart } = await view()
      const services = cart.cartOrderServicesDetails
      const retouches = services.retouches.map((one) => ({ ...one, withdrawn: true }))
      const confirmed = { ...cart, id: 3, version: 1, cartOrderServicesDetails: { ...services, retouches } }
      await database.outbox.clear()
      await database.carts.put({ ...key, cart: confirmed, retiredCartId: null, writing: crypto.randomUUID() })
      await waitForPage(() => expect(document.body.textContent).toContain('Service 1: The studio took this photo away'))
      click(getButton('Move to Photo 1'))
      await waitForPage(() => expect(document.body.textContent).not.toContain('took this photo away'))
      expect(await retouched()).toEqual([502])
    })

    test('cannot be moved if there is no other image', async () => {
      await begin(imageChoice(11, null))
      expect(document.body.textContent).toContain('There is no other photo to move it to.')
      expect(document.body.textContent).not.toContain('Move to')
    })
  })

  test('a rejected service names its subject and the reason', async () => {
    await order()
    const refusal = { problem: 'service-gone', message: 'This service is not on offer any more' }
    const last = await database.outbox.orderBy('seq').last()
    if (!last) throw new Error('nothing waits')
    await database.outbox.update(last.seq, { state: 'refused', refusal })
    render(<RejectedChanges cartKey={key} view={await view()} />)
    expect(document.body.textContent).toContain('Service 1 for Ada was not accepted')
    expect(document.body.textContent).toContain('This service is not on offer any more')
  })
})
