import { expect, test, vi } from 'vitest'
import { getElement, render } from '#support/rendering/render.tsx'
import { documentTitle } from '#ui/page/document-title.ts'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'

test('the document title is the route’s and the product’s, or the product’s alone', () => {
  expect(documentTitle('Cart')).toBe('Cart | Fieldproof')
  expect(documentTitle(null)).toBe('Fieldproof')
})

const screen = (address: string, title: string | null) => (
  <main>
    <h1>{address}</h1>
    <RouteAnnouncer address={address} title={title} />
  </main>
)

test('after every navigation the page is scrolled to the top and the heading is focused, except on the first screen', () => {
  const scrolled = vi.spyOn(window, 'scrollTo')
  const { again } = render(screen('/', null))
  expect(document.title).toBe('Fieldproof')
  expect(scrolled).not.toHaveBeenCalled()
  again(screen('/riverside/1/cart', 'Cart'))
  expect(document.title).toBe('Cart | Fieldproof')
  expect(scrolled).toHaveBeenCalledExactlyOnceWith(0, 0)
  expect(document.activeElement).toBe(getElement('h1'))
  again(screen('/riverside/1/cart', 'Cart'))
  expect(scrolled).toHaveBeenCalledOnce()
  again(screen('/riverside/1/cart?page=2', 'Cart'))
  expect(scrolled).toHaveBeenCalledTimes(2)
})

test('a filter, a tab or a sort order changes a list in place: scroll position and focus stay', () => {
  const list = '/admin/studios/1/jobs/1/images'
  const { again } = render(screen(list, 'Images'))
  const scrolled = vi.spyOn(window, 'scrollTo').mockClear()
  const { activeElement } = document
  again(screen(`${list}?show=unpublished`, 'Images'))
  again(screen(`${list}?show=unpublished&filter=ada&sort=-name`, 'Images'))
  expect(scrolled).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(activeElement)
  again(screen(`${list}?show=unpublished&filter=ada&sort=-name&page=2`, 'Images'))
  expect(scrolled).toHaveBeenCalledOnce()
})
