import { expect, test, vi } from 'vitest'
import { getElement, render } from '#support/rendering/render.tsx'
import { documentTitle } from '#ui/page/document-title.ts'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'

test('the document title is the title of the route and the product’s name, or the product’s name alone', () => {
  expect(documentTitle('Cart')).toBe('Cart | Fieldproof')
  expect(documentTitle(null)).toBe('Fieldproof')
})

const createScreen = (address: string, title: string | null) => (
  <main>
    <h1>{address}</h1>
    <RouteAnnouncer address={address} title={title} />
  </main>
)

test('each navigation after the first screen scrolls the page to the top and focuses the heading', () => {
  const scrollTo = vi.spyOn(window, 'scrollTo')
  const { rerender } = render(createScreen('/', null))
  expect(document.title).toBe('Fieldproof')
  expect(scrollTo).not.toHaveBeenCalled()
  rerender(createScreen('/riverside/1/cart', 'Cart'))
  expect(document.title).toBe('Cart | Fieldproof')
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0)
  expect(document.activeElement).toBe(getElement('h1'))
  rerender(createScreen('/riverside/1/cart', 'Cart'))
  expect(scrollTo).toHaveBeenCalledOnce()
  rerender(createScreen('/riverside/1/cart?page=2', 'Cart'))
  expect(scrollTo).toHaveBeenCalledTimes(2)
})

test('a filter, a tab or a sort order changes neither the scroll position nor the focus of a list', () => {
  const listUrl = '/admin/studios/1/jobs/1/images'
  const { rerender } = render(createScreen(listUrl, 'Images'))
  const scrollTo = vi.spyOn(window, 'scrollTo').mockClear()
  const { activeElement } = document
  rerender(createScreen(`${listUrl}?show=unpublished`, 'Images'))
  rerender(createScreen(`${listUrl}?show=unpublished&filter=ada&sort=-name`, 'Images'))
  expect(scrollTo).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(activeElement)
  rerender(createScreen(`${listUrl}?show=unpublished&filter=ada&sort=-name&page=2`, 'Images'))
  expect(scrollTo).toHaveBeenCalledOnce()
})
