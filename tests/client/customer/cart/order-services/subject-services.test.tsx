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
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { addOn, imageChoice, noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import {
  allServices,
  basicRetouch,
  keyOf,
  nameAndYear,
  nameService,
  plainService,
  premiumRetouch,
  serviceSnapshotOf,
} from '#tests/domain/cart/order-service-fixtures.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const route = { studioSlug: 'riverside', jobId: 1 }
const portrait = packageOf({ id: 100, name: 'Portrait' })
const everything: JobServices = { ...allServices, services: [basicRetouch, premiumRetouch, nameService, plainService] }

const view = () => readCart(database, key.jobId, key.orderMethod)
const cents = async () => (await view()).totalCents
const details = async () => (await view()).cart.cartOrderServicesDetails

const add = async (addedPackage: Package, content = noContent) => {
  const owner = { subjectId: 7, personId: null }
  const result = await addLine(database, stamp, {
    ...key,
    ...owner,
    snapshot: snapshotOf(addedPackage),
    quantity: 1,
    content,
  })
  if (!result.ok) throw new Error(result.message)
}

beforeEach(async () => {
  await database.delete()
  await database.open()
  lastRemoval.set(null)
  await add(portrait)
})

const ServicesOfSubject = ({ offered }: { offered: JobServices }) => {
  const cartView = useLiveQuery(view, [])
  const [subject] = cartView ? groupLinesBySubject(cartView, offered) : []
  return cartView && subject ? (
    <SubjectServices cartKey={key} {...{ subject, offeredServices: offered }} view={cartView} />
  ) : null
}

const openServices = async (offered = everything) => {
  render(<ServicesOfSubject offered={offered} />)
  await waitForPage(() => expect(countElements('section')).toBe(1))
}

const inputLabelled = (text: string): HTMLInputElement => {
  const label = [...document.querySelectorAll('label')].find((candidate) => candidate.textContent?.includes(text))
  const labelTarget = label && document.querySelector<HTMLInputElement>(`[id="${label.htmlFor}"]`)
  const input = labelTarget ?? label?.querySelector('input')
  if (!input) throw new Error(`no input is labelled ${text}`)
  return input
}

describe('a subject’s services', () => {
  test('are ordered with one tap, replaced by another level, and removed', async () => {
    await openServices()
    click(inputLabelled('Service 1'))
    await waitForPage(async () => expect(await cents()).toBe(2500 + 800))
    click(inputLabelled('Service 2'))
    await waitForPage(async () => {
      expect(await cents()).toBe(2500 + 1500)
      expect((await details()).retouches).toMatchObject([{ level: 'premium', imageLookupId: null }])
    })
    click(inputLabelled('Service 4'))
    await waitForPage(async () => expect(await cents()).toBe(2500 + 1500 + 500))
    await waitForPage(() => expect(inputLabelled('Service 4').checked).toBe(true))
    click(inputLabelled('Service 4'))
    click(inputLabelled('No retouching'))
    await waitForPage(async () => expect(await cents()).toBe(2500))
  })

  test('are per image if the job offers them that way, for each image in the packages', async () => {
    await add(packageOf({ id: 101 }), { ...noContent, imageNodes: [imageChoice(11, 501)] })
    await openServices({ ...everything, imageLevelService: true })
    await waitForPage(() => expect(countElements('fieldset')).toBe(1))
    expect(getElement('fieldset legend').textContent).toBe('Photo 1')
    click(inputLabelled('Service 1'))
    await waitForPage(async () =>
      expect((await details()).retouches).toMatchObject([{ level: 'basic', imageLookupId: 501 }]),
    )
  })

  test('per image say that the cart has no image of the subject yet', async () => {
    await openServices({ ...everything, imageLevelService: true })
    expect(document.body.textContent).toContain('none of Ada’s own are in the cart yet')
  })
})

describe('name and year', () => {
  const readPersonalization = async () => (await details()).personalizations[0]

  test('default to the subject’s name and the current year on all prints', async () => {
    await openServices()
    click(inputLabelled('Service 3'))
    await waitForPage(async () =>
      expect(await readPersonalization()).toMatchObject({
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
  ])('with %s are not ordered and the cart keeps the last valid choice', async (_, field, text, error) => {
    await openServices()
    click(inputLabelled('Service 3'))
    await waitForPage(() => expect(inputLabelled('Service 3').checked).toBe(true))
    await waitForPage(() => expect(document.body.textContent).toContain('Prints “Ada Lovelace”'))
    const originalText = inputLabelled(field).value
    type(inputLabelled(field), text)
    expect(document.body.textContent).toContain(error)
    expect(document.body.textContent).toContain('Your cart still has “Ada Lovelace”')
    expect(await readPersonalization()).toMatchObject({ nameToPrint: 'Ada Lovelace' })
    type(inputLabelled(field), `${originalText}!`)
    await waitForPage(() => expect(document.body.textContent).toContain(`Prints “Ada Lovelace`))
    await waitForPage(async () => expect(JSON.stringify(await readPersonalization())).toContain(`"${originalText}!"`))
  })

  test('do not validate a name that is not printed', async () => {
    await openServices()
    click(inputLabelled('Service 3'))
    await waitForPage(() => expect(document.body.textContent).toContain('Prints “Ada Lovelace”'))
    type(inputLabelled('Name to print'), '李')
    expect(document.body.textContent).toContain('The print can’t show “李”')
    click(inputLabelled('Name on all prints'))
    expect(document.body.textContent).not.toContain('can’t show')
    await waitForPage(async () =>
      expect(await readPersonalization()).toMatchObject({ nameOnAllPrints: false, yearOnAllPrints: true }),
    )
  })

  test('are offered only for prints on which they may appear', async () => {
    await openServices({ ...everything, allowNameOnWallets: false })
    click(inputLabelled('Service 3'))
    await waitForPage(() => expect(document.body.textContent).toContain('Name on all prints'))
    expect(document.body.textContent).not.toContain('wallet prints')
  })

  test('leave no checked box for an option that is no longer offered', async () => {
    const [allOffered, restricted] = [everything, { ...everything, allowNameOnAllPrints: false }]
    const { rerender } = render(<ServicesOfSubject offered={allOffered} />)
    await waitForPage(() => expect(countElements('section')).toBe(1))
    click(inputLabelled('Service 3'))
    await waitForPage(() => expect(document.body.textContent).toContain('Prints “Ada Lovelace”'))
    rerender(<ServicesOfSubject offered={restricted} />)
    await waitForPage(() => expect(document.body.textContent).toContain('can’t be printed as you chose'))
    click(getButton('Print as offered $10.00'))
    await waitForPage(() => expect(inputLabelled('Name on wallet prints').checked).toBe(true))
    type(inputLabelled('Name to print'), 'Ada L')
    await waitForPage(async () =>
      expect(await readPersonalization()).toMatchObject({
        nameToPrint: 'Ada L',
        nameOnWallets: true,
        nameOnAllPrints: false,
      }),
    )
  })

  test('start on wallets if only those are offered', async () => {
    await openServices({ ...everything, allowNameOnAllPrints: false })
    click(inputLabelled('Service 3'))
    await waitForPage(async () =>
      expect(await readPersonalization()).toMatchObject({ nameOnWallets: true, nameOnAllPrints: false }),
    )
  })
})

const Lines = ({ offered }: { offered: JobServices | undefined }) => {
  const cartView = useLiveQuery(view, [])
  const [subject] = cartView ? groupLinesBySubject(cartView, offered) : []
  return (
    <JobContext value={springJobContext()}>
      {cartView && subject && (
        <ServiceLines cartKey={key} {...{ route, subject, offeredServices: offered }} view={cartView} />
      )}
    </JobContext>
  )
}

const order = async (service = basicRetouch, personalization: PersonalizationChoice | null = null, overrides = {}) => {
  const target = { subjectId: 7, personId: null, imageLookupId: null, ...overrides }
  const snapshot = serviceSnapshotOf(service, { imageLevelService: target.imageLookupId !== null })
  const result = await setOrderService(database, stamp, { ...key, target, snapshot, personalization })
  if (!result.ok) throw new Error(result.message)
}

const stepInput = { offeredPackages: undefined, fields: [], online: true, closedReason: null }

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
    render(<UndoRemovalNotice cartKey={key} lineCount={1} nextFocusId="cart" />)
    expect(document.body.textContent).toContain('Service 2 and Package A removed')
    expect(document.body.textContent).toContain('removed too')
    await waitForPage(async () => {
      await undoLastRemoval()
      expect((await view()).lines).toHaveLength(2)
      expect((await details()).retouches).toHaveLength(1)
    })
  })

  test('with a changed price show both prices and cost the new one only after it is accepted', async () => {
    await order()
    const raisedRetouch = { ...basicRetouch, price: 9.5 }
    render(<Lines offered={{ ...everything, services: [raisedRetouch] }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('was $8.00, now $9.50'))
    expect(await cents()).toBe(2500 + 800)
    click(getButton('Accept $9.50'))
    await waitForPage(async () => expect(await cents()).toBe(2500 + 950))
    await waitForPage(() => expect(countElements('[role=status]')).toBe(0))
  })

  test('printed on a product that is no longer offered can be moved to another one with one tap', async () => {
    await order(nameService, nameAndYear('Ada'))
    render(<Lines offered={{ ...everything, allowNameOnAllPrints: false }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('Service 3 can’t be printed as you chose'))
    expect(document.body.textContent).toContain('Offered now: “Ada” and “2027” on wallet prints.')
    click(getButton('Print as offered $10.00'))
    await waitForPage(async () =>
      expect((await details()).personalizations).toMatchObject([{ nameOnAllPrints: false, nameOnWallets: true }]),
    )
    await waitForPage(() => expect(document.body.textContent).not.toContain('can’t be printed'))
  })

  test('that are offered differently and at another price show both prices', async () => {
    const raisedServices = everything.services.map((service) => ({ ...service, price: service.price + 1 }))
    await order(nameService, nameAndYear('Ada'))
    render(<Lines offered={{ ...everything, services: raisedServices, allowNameOnAllPrints: false }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('was $10.00, now $11.00'))
    expect(document.body.textContent).toContain('Offered now: “Ada” and “2027” on wallet prints.')
    cleanUp()
    await removeOrderService(database, stamp, { ...key, key: keyOf(nameService) })
    await order(basicRetouch)
    render(<Lines offered={{ ...everything, services: raisedServices, imageLevelService: true }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('Service 1 is now per photo'))
    expect(document.body.textContent).toContain('was $8.00, now $9.00')
  })

  test.each([
    ['the photo it is for', true, 'Photo 1 $8.00'],
    ['all photos', false, 'Retouch all photos $8.00'],
  ])('for retouching change to %s in one tap, and are charged once', async (_, isPerImage, buttonLabel) => {
    await add(packageOf({ id: 101 }), { ...noContent, imageNodes: [imageChoice(11, 501)] })
    await order(basicRetouch, null, isPerImage ? {} : { imageLookupId: 501 })
    const offered = { ...everything, imageLevelService: isPerImage }
    expect(checkoutStep({ ...stepInput, view: await view(), services: offered }).canContinue).toBe(false)
    await openServices(offered)
    await waitForPage(() => expect(document.body.textContent).toContain('The studio changed this after you ordered it'))
    click(getButton(buttonLabel))
    await waitForPage(async () =>
      expect((await details()).retouches).toMatchObject([{ imageLookupId: isPerImage ? 501 : null }]),
    )
    expect(await cents()).toBe(5000 + 800)
    await waitForPage(() => expect(document.body.textContent).not.toContain('The studio changed this'))
  })

  test('that were withdrawn can only be removed', async () => {
    await order()
    render(<Lines offered={{ ...everything, services: [] }} />)
    await waitForPage(() => expect(document.body.textContent).toContain('Basic retouching is no longer offered'))
    click(getButton('Remove'))
    await waitForPage(async () => expect(await cents()).toBe(2500))
  })

  describe('retouching of an image that is no longer in its package', () => {
    const perImageServices = { ...everything, imageLevelService: true }
    const retouchedImageIds = async () => (await details()).retouches.map((retouch) => retouch.imageLookupId)

    /** Retouches an image, then replaces it by another one; an add-on depends on the retouching. */
    const retouchThenReplace = async (newImage = imageChoice(11, 502)) => {
      const album = packageOf({ id: 101 })
      await add(album, { ...noContent, imageNodes: [imageChoice(11, 501)] })
      const target = { subjectId: 7, personId: null, imageLookupId: 501 }
      const snapshot = serviceSnapshotOf(basicRetouch, { imageLevelService: true })
      await setOrderService(database, stamp, { ...key, target, snapshot, personalization: null })
      await add(addOn(200, { type: 'addon_price', requiredMinPrice: 58 }))
      const albumLine = (await view()).lines.find(({ line }) => line.packageId === album.id)?.line
      if (!albumLine) throw new Error('the album was not added')
      const content = { ...noContent, imageNodes: [newImage] }
      await customiseLine(database, stamp, { ...key, lineId: albumLine.lineId, content })
      render(<Lines offered={perImageServices} />)
      render(<UndoRemovalNotice cartKey={key} lineCount={3} nextFocusId="cart" />)
      await waitForPage(() => expect(document.body.textContent).toContain('is for a photo no longer in a package'))
    }

    test('moves to the current image with one tap, at the same price, and back', async () => {
      await retouchThenReplace()
      const centsBefore = await cents()
      click(getButton('Move to Photo 1'))
      await waitForPage(() => {
        expect(document.body.textContent).toContain('Service 1 moved to Photo 1')
        expect(document.body.textContent).not.toContain('no longer in a package')
      })
      expect(await retouchedImageIds()).toEqual([502])
      expect(await cents()).toBe(centsBefore)
      expect((await view()).lines).toHaveLength(3)
      click(getButton('Undo'))
      await waitForPage(() => {
        expect(document.body.textContent).not.toContain('moved to')
        expect(document.body.textContent).toContain('no longer in a package')
      })
      expect(await retouchedImageIds()).toEqual([501])
      expect(await cents()).toBe(centsBefore)
      expect((await view()).lines).toHaveLength(3)
    })

    test('can be removed and restored', async () => {
      await retouchThenReplace()
      click(getButton('Remove'))
      await waitForPage(() => {
        expect(document.body.textContent).toContain('Service 1 and Package A removed')
        expect(document.body.textContent).not.toContain('no longer in a package')
      })
      expect(await retouchedImageIds()).toEqual([])
      click(getButton('Undo'))
      await waitForPage(() => {
        expect(document.body.textContent).not.toContain('removed')
        expect(document.body.textContent).toContain('no longer in a package')
      })
      expect(await retouchedImageIds()).toEqual([501])
      expect((await view()).lines).toHaveLength(3)
    })

    test('reports that the studio withdrew the image, and can be moved', async () => {
      await retouchThenReplace()
      const { cart } = await view()
      const services = cart.cartOrderServicesDetails
      const retouches = services.retouches.map((retouch) => ({ ...retouch, withdrawn: true }))
      const confirmed = { ...cart, id: 3, version: 1, cartOrderServicesDetails: { ...services, retouches } }
      await database.outbox.clear()
      await database.carts.put({ ...key, cart: confirmed, retiredCartId: null, writing: crypto.randomUUID() })
      await waitForPage(() => expect(document.body.textContent).toContain('Service 1: The studio withdrew this photo'))
      click(getButton('Move to Photo 1'))
      await waitForPage(() => expect(document.body.textContent).not.toContain('withdrew this photo'))
      expect(await retouchedImageIds()).toEqual([502])
    })

    test('cannot be moved if there is no other image', async () => {
      await retouchThenReplace(imageChoice(11, null))
      expect(document.body.textContent).toContain('There is no other photo to move it to.')
      expect(document.body.textContent).not.toContain('Move to')
    })
  })

  test('a rejected service names its subject and the reason', async () => {
    await order()
    const rejection = { problem: 'service-gone', message: 'This service is no longer offered' }
    const last = await database.outbox.orderBy('seq').last()
    if (!last) throw new Error('the outbox is empty')
    await database.outbox.update(last.seq, { state: 'rejected', rejection })
    render(<RejectedChanges cartKey={key} view={await view()} />)
    expect(document.body.textContent).toContain('Service 1 for Ada was not accepted')
    expect(document.body.textContent).toContain('This service is no longer offered')
  })
})
