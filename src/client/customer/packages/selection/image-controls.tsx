import Expand from 'lucide-react/icons/expand'
import Heart from 'lucide-react/icons/heart'
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { poseLabel } from '../images/node-images.ts'
import styles from './select-package.module.css'
import { ShareButton, useShareDialog } from './use-share-dialog.tsx'

/** Points of a horizontal movement that count as a swipe, if it is wider than high. */
const swipePoints = 40

/**
 * Reports swipes to the next (1) and the previous (-1) image. `endedSwipe` tells whether a click is the end of one. On a page
 * that is zoomed in, a movement pans the page instead.
 */
const useSwipe = (onSwipe: (step: 1 | -1) => void) => {
  const start = useRef<{ x: number; y: number } | null>(null)
  const wasSwipe = useRef(false)
  const onPointerDown = ({ clientX: x, clientY: y }: PointerEvent) => {
    start.current = { x, y }
    wasSwipe.current = false
  }
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    if (!start.current) return
    const [dx, dy] = [clientX - start.current.x, clientY - start.current.y]
    start.current = null
    const isZoomedIn = (globalThis.visualViewport?.scale ?? 1) > 1
    if (isZoomedIn || Math.abs(dx) < swipePoints || Math.abs(dx) < Math.abs(dy)) return
    wasSwipe.current = true
    onSwipe(dx < 0 ? 1 : -1)
  }
  // A click by the keyboard has the `detail` 0.
  const endedSwipe = ({ detail }: MouseEvent): boolean => {
    const isSwipe = wasSwipe.current && detail > 0
    wasSwipe.current = false
    return isSwipe
  }
  return { handlers: { onPointerDown, onPointerUp }, endedSwipe }
}

type ImageControlsProps = {
  subjectId: number
  firstName: string
  images: readonly Image[]
  shown: Image
  favouriteIds: readonly number[]
  onToggleFavourite: (imageId: number) => void
  onChoose: (imageId: number) => void
}

/** On the large image: a tap opens it on the whole screen, a swipe shows the next, the heart marks it, a button shows images to someone. */
export const ImageControls = (props: ImageControlsProps) => {
  const { subjectId, firstName, images, shown, favouriteIds, onToggleFavourite, onChoose } = props
  const button = useRef<HTMLButtonElement>(null)
  const sharing = useShareDialog({ subjectId, images, favouriteIds })
  const index = images.indexOf(shown)
  const { handlers, endedSwipe } = useSwipe((step) => {
    const next = images[index + step]
    if (next) onChoose(next.id)
  })
  const viewer = useRef<'closed' | 'loading' | { close: () => void; images: readonly Image[] }>('closed')
  // A photo that the studio has withdrawn must not stay on the screen.
  useEffect(() => {
    const { current } = viewer
    const isListed = ({ id }: Image) => images.some((image) => image.id === id)
    if (typeof current === 'object' && !current.images.every(isListed)) current.close()
  }, [images])
  useEffect(
    () => () => {
      if (typeof viewer.current === 'object') viewer.current.close()
    },
    [],
  )
  const open = async () => {
    if (viewer.current !== 'closed') return
    viewer.current = 'loading'
    const module = await ignoring('offline, and the viewer is not cached', () => import('./image-viewer.ts'))
    viewer.current = 'closed'
    if (!module || !button.current) return
    const close = module.openImageViewer({
      images,
      index,
      label: `${firstName}’s photos`,
      imageElement: () => button.current?.parentElement?.querySelector('img') ?? null,
      favouriteIds,
      onToggleFavourite,
      shareableIds: sharing.shareableIds,
      onShare: (imageId) => void sharing.open(imageId),
      onShow: ({ id }) => onChoose(id),
      onClose: () => {
        viewer.current = 'closed'
      },
    })
    viewer.current = { close, images }
  }
  const isFavourite = favouriteIds.includes(shown.id)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.enlarge}
        aria-label={`Enlarge ${poseLabel(shown, index)}`}
        {...handlers}
        onClick={(event) => !endedSwipe(event) && void open()}
      >
        <span>
          <Icon of={Expand} />
        </span>
      </button>
      <IconButton
        icon={Heart}
        label="Favorite"
        aria-pressed={isFavourite}
        className={styles.heart}
        onClick={() => onToggleFavourite(shown.id)}
      />
      {sharing.shareableIds.length > 0 && <ShareButton onClick={() => void sharing.open()} />}
      {sharing.dialog}
    </>
  )
}
