import PhotoSwipe from 'photoswipe'
import photoSwipeStyles from 'photoswipe/style.css?inline'
import type { Image } from '#contract/shapes/image-structs.ts'
import { poseLabel } from '../images/node-images.ts'
import styles from './image-viewer.css?inline'

type ImageViewerOptions = {
  images: readonly Image[]
  index: number
  /** Accessible name of the viewer. */
  label: string
  /** The element that shows an image on the page: the viewer grows from it, and shrinks into it. */
  imageElement: () => HTMLImageElement | null
  favouriteIds: readonly number[]
  onToggleFavourite: (imageId: number) => void
  /** The images that can be shown to someone. */
  shareableIds: readonly number[]
  /** Called with the image that is shown, once the viewer has closed. */
  onShare: (imageId: number) => void
  /** Called with the image that is shown, when it changes. */
  onShow: (image: Image) => void
  onClose: () => void
}

/** The largest zoom, relative to the size at which an image fits the screen. */
const maxZoom = 3

const heartIcon =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M19 14c1.5-1.5 3-3.2 3-5.5A5.5 5.5 0 0 0 16.5 3c-1.8 0-3 .5-4.5 2-1.5-1.5-2.7-2-4.5-2A5.5 5.5 0 0 0 2 8.5c0 2.3 1.5 4.05 3 5.5l7 7Z"/></svg>'

const sendIcon =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M14.54 21.69a.5.5 0 0 0 .93-.03l6.5-19a.5.5 0 0 0-.63-.63l-19 6.5a.5.5 0 0 0-.02.93l7.93 3.18a2 2 0 0 1 1.11 1.11zM21.85 2.15 10.91 13.09"/></svg>'

// An imported style sheet would be one more file for the service worker. The content security policy allows constructed ones.
const styleSheet = new CSSStyleSheet()
styleSheet.replaceSync(photoSwipeStyles + styles)
document.adoptedStyleSheets.push(styleSheet)

/** Closes at once, or as soon as it has opened: while it opens it can't be closed. */
const closeNow = (viewer: PhotoSwipe): void => {
  viewer.options.showHideAnimationType = 'none'
  if (viewer.opener.isOpen) viewer.close()
  else viewer.on('openingAnimationEnd', () => viewer.close())
}

/** Whether the current history entry is that of a viewer. */
const isViewerEntry = (): boolean => (history.state as { imageViewer?: boolean } | null)?.imageViewer === true

/** "Back" closes the viewer instead of leaving the screen. */
const closeByBackButton = (viewer: PhotoSwipe): void => {
  history.pushState({ imageViewer: true }, '')
  const onPopState = () => closeNow(viewer)
  window.addEventListener('popstate', onPopState, { once: true })
  viewer.on('destroy', () => {
    window.removeEventListener('popstate', onPopState)
    // After "Back" or another navigation, the viewer's entry is no longer the current one.
    if (isViewerEntry()) history.back()
  })
}

/** A button that marks the image that is shown. */
const addHeart = (viewer: PhotoSwipe, { images, favouriteIds, onToggleFavourite }: ImageViewerOptions): void => {
  const favourites = new Set(favouriteIds)
  viewer.ui?.registerElement({
    name: 'heart',
    order: 8,
    isButton: true,
    title: 'Favorite',
    html: heartIcon,
    onInit: (element) => {
      const shownId = () => images[viewer.currIndex]?.id ?? 0
      const update = () => element.setAttribute('aria-pressed', String(favourites.has(shownId())))
      viewer.on('change', update)
      element.addEventListener('click', () => {
        const id = shownId()
        if (!favourites.delete(id)) favourites.add(id)
        onToggleFavourite(id)
        update()
      })
    },
  })
}

/** A button that closes the viewer and shows its image to someone. It is missing for images that can't be shown. */
const addSendButton = (viewer: PhotoSwipe, { images, shareableIds, onShare }: ImageViewerOptions): void => {
  viewer.ui?.registerElement({
    name: 'send',
    order: 7,
    isButton: true,
    title: 'Show to someone',
    html: sendIcon,
    onInit: (element) => {
      const shownId = () => images[viewer.currIndex]?.id ?? 0
      viewer.on('change', () => {
        element.hidden = !shareableIds.includes(shownId())
      })
      element.addEventListener('click', () => {
        const id = shownId()
        viewer.on('destroy', () => onShare(id))
        closeNow(viewer)
      })
    },
  })
}

/**
 * Shows images on the whole screen: zoom by pinch, double tap or wheel, swipe to the next, and down to close. Returns a
 * function that closes it. `onClose` is called however it was closed.
 */
export const openImageViewer = (options: ImageViewerOptions): (() => void) => {
  const { images, index, label, imageElement, onShow, onClose } = options
  const viewer = new PhotoSwipe({
    dataSource: images.map((image, position) => ({
      src: image.previewUrl,
      msrc: image.thumbnailUrl,
      width: image.width,
      height: image.height,
      alt: poseLabel(image, position),
    })),
    index,
    bgOpacity: 1,
    loop: false,
    showHideAnimationType: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'none' : 'zoom',
    secondaryZoomLevel: ({ fit }) => fit * 2,
    maxZoomLevel: ({ fit }) => fit * maxZoom,
    wheelToZoom: true,
    closeTitle: 'Close',
    zoomTitle: 'Zoom',
    arrowPrevTitle: 'Previous photo',
    arrowNextTitle: 'Next photo',
    errorMsg: 'This photo can’t be shown right now.',
  })
  viewer.addFilter('thumbEl', (element) => imageElement() ?? (element as HTMLElement))
  viewer.on('uiRegister', () => {
    addHeart(viewer, options)
    addSendButton(viewer, options)
  })
  viewer.on('change', () => {
    const image = images[viewer.currIndex]
    if (image) onShow(image)
  })
  viewer.on('destroy', onClose)
  viewer.on('openingAnimationEnd', () => viewer.element?.setAttribute('aria-busy', 'false'))
  viewer.init()
  viewer.element?.setAttribute('aria-label', label)
  viewer.element?.setAttribute('aria-modal', 'true')
  if (!viewer.opener.isOpen) viewer.element?.setAttribute('aria-busy', 'true')
  // Screen readers announce the photo that is shown, because it is also the chosen one.
  viewer.container?.setAttribute('aria-live', 'polite')
  closeByBackButton(viewer)
  return () => closeNow(viewer)
}
