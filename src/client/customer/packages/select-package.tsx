import ArrowRight from 'lucide-react/icons/arrow-right'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Image } from '../../../contract/customer-find.ts'
import type { Cart } from '../../../domain/cart.ts'
import type { Package } from '../../../domain/catalogue.ts'
import { sumCents, toCents } from '../../../domain/money.ts'
import { type SelectPackageRoute, urls } from '../../shell/urls.ts'
import { Button } from '../../ui/button.tsx'
import { useEvent } from '../event.tsx'
import { BottomBar } from '../layout-bottom-bar.tsx'
import { BarLabel } from './bar-label.tsx'
import { type Choosing, chosenPackages, readChoosing, settled, toggle } from './choosing.ts'
import { OrderByLine } from './order-by-line.tsx'
import { PackageList } from './package-list.tsx'
import type { Person } from './part.ts'
import { PoseStrip } from './pose-strip.tsx'
import styles from './select.module.css'
import { useDraft } from './use-draft.ts'

type SelectPackageProps = {
  route: SelectPackageRoute
  person: Person
  images: readonly Image[]
  offered: readonly Package[]
  cart: Cart
  kept: { value: unknown }
  draftKey: string
}

/** The pose to begin with: the one chosen here after this address was opened, the address's own, none. */
const firstPose = (images: readonly Image[], imageId: number | null, kept: unknown): number | null => {
  const draft = readChoosing(kept)
  const wanted = draft && draft.forImageId === imageId ? draft.imageId : imageId
  const only = images.length === 1 ? (images[0]?.id ?? null) : null
  return images.some((image) => image.id === wanted) ? wanted : only
}

export const SelectPackage = (props: SelectPackageProps) => {
  const { route, person, images, offered, cart, kept, draftKey } = props
  const { orderMethod, preferences, closed } = useEvent()
  const [, navigate] = useLocation()
  const draft = useDraft(draftKey)
  const forImageId = route.imageId ?? null
  const [imageId, setImageId] = useState(() => firstPose(images, forImageId, kept.value))
  const [wanted, setWanted] = useState<Choosing>(() => readChoosing(kept.value) ?? { standard: null, addOns: [] })
  const choosing = settled(wanted, offered, cart)
  const chosen = chosenPackages(choosing, offered)

  const remember = (next: Choosing, pose: number | null) =>
    draft.save({ v: 1, standard: next.standard, addOns: next.addOns, imageId: pose, forImageId })
  const choose = (one: Package) => {
    const next = toggle(choosing, one, { offered, cart })
    setWanted(next)
    remember(next, imageId)
  }
  const pose = (id: number) => {
    setImageId(id)
    remember(choosing, id)
  }
  const next = () => {
    const packageIds = chosen.map((one) => one.id)
    navigate(urls.packageDetails({ ...route, packageIds, imageId: imageId ?? undefined }))
  }

  const priced = preferences.pricesBeforePose || orderMethod === 'prepay' || imageId !== null
  const shown = images.find((image) => image.id === imageId) ?? images[0] ?? null
  const cents = sumCents(chosen.map((one) => toCents(one.retailCost)))
  return (
    <div className={styles.screen}>
      <div className={styles.child}>
        <h1 className={styles.title}>
          {person.firstName} {person.lastName}
        </h1>
        <PoseStrip person={person} images={images} chosen={imageId} shown={shown} onChoose={pose} />
      </div>
      <div className={styles.offers}>
        <OrderByLine />
        <PackageList {...{ offered, choosing, chosen, cart, priced }} picture={shown} onToggle={choose} />
      </div>
      <BottomBar label={<BarLabel what={words(chosen)} cart={cart} />} cents={priced ? cents : undefined}>
        <Button
          icon={ArrowRight}
          iconSide="right"
          disabled={chosen.length === 0 || closed !== null}
          onClick={next}
          aria-describedby={chosen.length === 0 ? 'choose-first' : undefined}
        >
          Next
        </Button>
        <span id="choose-first" hidden>
          {closed ?? 'Choose a package first'}
        </span>
      </BottomBar>
    </div>
  )
}

const words = (chosen: readonly Package[]): string => {
  if (chosen.length === 0) return 'Nothing chosen yet'
  return chosen.length === 1 ? 'This package' : `These ${chosen.length}`
}
