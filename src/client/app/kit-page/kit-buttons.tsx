import Download from 'lucide-react/icons/download'
import Pencil from 'lucide-react/icons/pencil'
import Search from 'lucide-react/icons/search'
import ShoppingCart from 'lucide-react/icons/shopping-cart'
import Trash from 'lucide-react/icons/trash'
import { type ReactNode, useState } from 'react'
import { Button, ButtonLink, IconButton } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import styles from './kit-page.module.css'

/** Text sizes and prices. */
export const Type = () => (
  <KitSection title="Type and money">
    <p className={styles.text6}>Riverside Portraits</p>
    <p className={styles.text5}>Spring Portraits 2027</p>
    <p className={styles.text4}>Who are you ordering for?</p>
    <p>Body. Photos are the colour; the rest is quiet. Saved on this phone.</p>
    <p className={styles.text2}>Second. Order by May 12 and prints arrive before the holidays.</p>
    <p className={styles.text1}>Smallest. © Riverside Portraits</p>
    <KitRow>
      <Price cents={123450} size="large" />
      <Price cents={4200} />
      <Price cents={5000} isCrossedOut /> <a href="#a-link">a link in text</a>
    </KitRow>
  </KitSection>
)

/** Buttons, links and icon buttons in every state. */
export const Buttons = () => {
  const [loading, setLoading] = useState(false)
  return (
    <KitSection title="Buttons">
      <KitRow>
        <Button icon={ShoppingCart}>Add to cart</Button>
        <Button variant="secondary">Choose another photo</Button>
        <Button variant="quiet">Not now</Button>
        <Button variant="danger" icon={Trash}>
          Remove
        </Button>
      </KitRow>
      <KitRow>
        <Button icon={ShoppingCart} loading>
          Add to cart
        </Button>
        <Button variant="secondary" loading>
          Choose another photo
        </Button>
        <Button disabled>Pay $42.00</Button>
        <Button variant="secondary" disabled>
          Disabled
        </Button>
      </KitRow>
      <KitRow>
        <Button size="xs">Extra small</Button>
        <Button size="sm">Small</Button>
        <Button size="md">Medium</Button>
        <Button size="lg">Large</Button>
      </KitRow>
      <KitRow>
        <Button loading={loading} icon={Search} onClick={() => setLoading(true)}>
          Press to load
        </Button>
        <Button variant="quiet" onClick={() => setLoading(false)}>
          Stop
        </Button>
        <ButtonLink href="#downloads" variant="secondary" icon={Download} iconSide="right">
          A link
        </ButtonLink>
        <IconButton icon={Pencil} label="Edit" />
        <IconButton icon={Pencil} label="Edit" variant="secondary" />
        <IconButton icon={Pencil} label="Edit" variant="primary" />
      </KitRow>
      <Button wide size="lg" icon={ShoppingCart}>
        Go to checkout
      </Button>
    </KitSection>
  )
}

/** One group of components with its title. */
export const KitSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h2 className={styles.name}>{title}</h2>
    <div className={styles.stack}>{children}</div>
  </section>
)

/** Components next to each other. */
export const KitRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>
