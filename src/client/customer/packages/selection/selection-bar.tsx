import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { type RefObject, useEffect, useState } from 'react'
import { BottomBar, BottomBarLabel } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { sumCents, toCents } from '#domain/pricing/money.ts'
import { type SelectPackageRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { isAddOn, lowestPrice } from '../offers/package-selection.ts'

type SelectionBarProps = {
  route: SelectPackageRoute
  offeredPackages: readonly Package[]
  chosenPackages: readonly Package[]
  cart: Cart
  hasPrices: boolean
  /** Why nothing can be ordered; null if it can. */
  closedReason: string | null
  packagesHeading: RefObject<HTMLHeadingElement | null>
  onNext: () => void
}

/** The price of the chosen packages and the next step; before a choice, the lowest price and the way to the packages. */
export const SelectionBar = (props: SelectionBarProps) => {
  const { chosenPackages, cart, hasPrices, closedReason, onNext } = props
  if (closedReason !== null) return <BottomBar label={<BottomBarLabel label={closedReason} cart={cart} />} />
  if (chosenPackages.length === 0) return <BarBeforeChoice {...props} />
  const cents = hasPrices ? sumCents(chosenPackages.map(({ retailCost }) => toCents(retailCost))) : undefined
  const label = chosenPackages.length === 1 ? 'This package' : `These ${chosenPackages.length}`
  return (
    <BottomBar label={<BottomBarLabel label={label} cart={cart} />} cents={cents}>
      <Button icon={ArrowRight} iconSide="right" onClick={onNext}>
        Next
      </Button>
    </BottomBar>
  )
}

/** Whether an element is in the lower half of the screen, or below it. */
const useIsBelow = (element: RefObject<HTMLElement | null>): boolean => {
  const [isBelow, setIsBelow] = useState(false)
  useEffect(() => {
    if (!element.current) return
    // Everything above the middle of the screen counts as intersecting.
    const observer = new IntersectionObserver(([entry]) => setIsBelow(entry?.isIntersecting === false), {
      rootMargin: '100000px 0px -50% 0px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isBelow
}

const BarBeforeChoice = ({ route, offeredPackages, cart, hasPrices, packagesHeading }: SelectionBarProps) => {
  const isBelow = useIsBelow(packagesHeading)
  const standardPackages = offeredPackages.filter((offer) => !isAddOn(offer))
  const label =
    hasPrices && standardPackages.length > 0 ? `Packages from ${lowestPrice(standardPackages)}` : 'Choose a package'
  const showPackages = () => {
    packagesHeading.current?.scrollIntoView({ block: 'start' })
    packagesHeading.current?.focus({ preventScroll: true })
  }
  return (
    <BottomBar label={<BottomBarLabel label={isBelow ? label : 'Choose a package'} cart={cart} />}>
      {isBelow && (
        <Button icon={ArrowDown} iconSide="right" onClick={showPackages}>
          See packages
        </Button>
      )}
      {!isBelow && cart.cartPackages.length > 0 && <ButtonLink href={urls.cart(route)}>Go to cart</ButtonLink>}
    </BottomBar>
  )
}
