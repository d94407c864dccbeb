import Archive from 'lucide-react/icons/archive'
import Camera from 'lucide-react/icons/camera'
import Download from 'lucide-react/icons/download'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Images from 'lucide-react/icons/images'
import Pencil from 'lucide-react/icons/pencil'
import Search from 'lucide-react/icons/search'
import ShoppingCart from 'lucide-react/icons/shopping-cart'
import Trash from 'lucide-react/icons/trash'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button, ButtonLink, IconButton } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { type DialogSize, dialogSizes } from '#ui/dialog/dialog-sizes.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader, loaderSizes } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { QuantityStepper } from '#ui/form/quantity-stepper.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Breadcrumbs } from '#ui/navigation/breadcrumbs.tsx'
import { TabLinks, Tabs } from '#ui/navigation/tabs.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { Tooltip } from '#ui/popover/tooltip.tsx'
import { Price } from '#ui/price.tsx'
import { accentProperties } from '#ui/theme/accent.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { ToastHost } from '#ui/toast/toast-host.tsx'
import styles from './kit-page.module.css'

const Dialog = lazy(async () => ({ default: (await import('#ui/dialog/dialog.tsx')).Dialog }))

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h2 className={styles.name}>{title}</h2>
    <div className={styles.stack}>{children}</div>
  </section>
)

const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

const setTheme = (theme: string) => {
  document.documentElement.dataset.theme = theme
}

const setAccent = (hex: string) => {
  const root = document.documentElement.style
  for (const side of ['light', 'dark', 'ink-light', 'ink-dark']) root.removeProperty(`--studio-accent-${side}`)
  for (const [property, value] of Object.entries(accentProperties(hex))) root.setProperty(property, value)
}

const accents = [
  { value: '', label: "Fieldproof's own" },
  { value: '#c8102e', label: 'Rapids red' },
  { value: '#f5c518', label: 'School-bus yellow' },
  { value: '#0f766e', label: 'Lake green' },
  { value: '#5b21b6', label: 'Summit violet' },
]

const Head = () => {
  const [theme, choose] = useState<'system' | 'light' | 'dark'>('system')
  return (
    <header className={styles.head}>
      <div>
        <h1>The kit</h1>
        <p className={styles.lead}>Every part of the interface, in every state.</p>
      </div>
      <div className={styles.switches}>
        <RadioGroup
          legend="Theme"
          options={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={theme}
          onValue={(next) => {
            choose(next)
            setTheme(next)
          }}
        />
        <Field label="Studio accent">
          <Select options={accents} defaultValue="" onValue={setAccent} />
        </Field>
      </div>
    </header>
  )
}

const Type = () => (
  <Section title="Type and money">
    <p className={styles.six}>Riverside Portraits</p>
    <p className={styles.five}>Spring Portraits 2027</p>
    <p className={styles.four}>Who are you ordering for?</p>
    <p>Body. Photos are the colour; the rest is quiet. Saved on this phone.</p>
    <p className={styles.two}>Second. Order by May 12 and prints arrive before the holidays.</p>
    <p className={styles.one}>Smallest. © Riverside Portraits</p>
    <Row>
      <Price cents={123450} size="large" />
      <Price cents={4200} />
      <Price cents={5000} struck /> <a href="#a-link">a link in text</a>
    </Row>
  </Section>
)

const Buttons = () => {
  const [loading, setLoading] = useState(false)
  return (
    <Section title="Buttons">
      <Row>
        <Button icon={ShoppingCart}>Add to cart</Button>
        <Button variant="secondary">Choose another photo</Button>
        <Button variant="quiet">Not now</Button>
        <Button variant="danger" icon={Trash}>
          Remove
        </Button>
      </Row>
      <Row>
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
      </Row>
      <Row>
        <Button size="xs">Extra small</Button>
        <Button size="sm">Small</Button>
        <Button size="md">Medium</Button>
        <Button size="lg">Large</Button>
      </Row>
      <Row>
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
      </Row>
      <Button wide size="lg" icon={ShoppingCart}>
        Go to checkout
      </Button>
    </Section>
  )
}

const Fields = () => (
  <Section title="Fields">
    <div className={styles.grid}>
      <Field label="Email" hint="The one you gave when ordering.">
        <TextInput type="email" autoComplete="email" placeholder="you@example.com" />
      </Field>
      <Field label="Order #" errors="This field is required" required>
        <TextInput />
      </Field>
      <Field label="Phone" errors={['This field is required', 'This value is not a valid phone number']}>
        <TextInput type="tel" defaultValue="55" />
      </Field>
      <Field label="Jersey number" hint="Letters and digits only." optional>
        <TextInput type="alphanumeric" defaultValue="Wolves 23" />
      </Field>
      <Field label="Password">
        <TextInput type="password" defaultValue="fieldproof" />
      </Field>
      <Field label="Grade">
        <Select
          placeholder="Choose a grade"
          options={['Kindergarten', 'First', 'Second', 'Third'].map((label) => ({ value: label, label }))}
        />
      </Field>
      <Field label="Disabled">
        <TextInput disabled defaultValue="Lincoln Elementary" />
      </Field>
      <Field label="Note to the studio" optional>
        <TextInput type="textarea" defaultValue="Please use the smiling pose." />
      </Field>
    </div>
    <div className={styles.grid}>
      {(['xs', 'sm', 'md', 'lg'] as const).map((size) => (
        <Field key={size} label={`Size ${size}`}>
          <TextInput size={size} defaultValue="Ada Lovelace" />
        </Field>
      ))}
    </div>
  </Section>
)

const Choices = () => {
  const [shipping, setShipping] = useState<'studio' | 'home'>('studio')
  const [quantity, setQuantity] = useState(1)
  const step = async (by: number) => setQuantity(quantity + by)
  return (
    <Section title="Choices">
      <Checkbox label="Shipping address is the same as billing" defaultChecked />
      <Checkbox label="Tell me when it opens" hint="One e-mail, nothing else." />
      <Checkbox label="I am allowed to order for this person" errors="This field is required" />
      <RadioGroup
        legend="Shipping"
        value={shipping}
        onValue={setShipping}
        options={[
          { value: 'studio', label: 'Studio Shipping', hint: 'Handed out in class', aside: 'Free' },
          { value: 'home', label: 'To your home', hint: '5 to 7 days', aside: <Price cents={795} /> },
        ]}
      />
      <Row>
        <QuantityStepper label="Portrait Package" value={quantity} onStep={step} onRemove={() => setQuantity(1)} />
        <QuantityStepper label="Wallets" value={3} onStep={step} onRemove={() => {}} disabled />
      </Row>
    </Section>
  )
}

const Forms = () => {
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<string[]>([])
  return (
    <Section title="Form">
      <Form
        loading={loading}
        error={error}
        onSubmit={() => setError(['The card was declined.', 'Your cart is kept. Try another card.'])}
      >
        <Field label="Name on the card">
          <TextInput autoComplete="cc-name" />
        </Field>
        <Row>
          <Button type="submit" loading={loading}>
            Submit with two errors
          </Button>
          <Button variant="secondary" onClick={() => setError([])}>
            Clear errors
          </Button>
          <Button variant="quiet" onClick={() => setLoading(!loading)}>
            Toggle loading
          </Button>
        </Row>
      </Form>
    </Section>
  )
}

const Floating = () => {
  const [size, setSize] = useState<DialogSize>()
  const [closable, setClosable] = useState(true)
  const [shown, setShown] = useState<DialogSize>('medium')
  const [answer, setAnswer] = useState('')
  const openAs = (next: DialogSize, canClose = true) => {
    setShown(next)
    setSize(next)
    setClosable(canClose)
  }
  const ask = async () => {
    const yes = await confirm({
      title: 'Remove Portrait Package?',
      message: 'The photo stays where it is.',
      danger: true,
    })
    setAnswer(yes ? 'Answered: yes' : 'Answered: no')
  }
  return (
    <Section title="What floats">
      <Row>
        {dialogSizes.map((each) => (
          <Button key={each} variant="secondary" onClick={() => openAs(each)}>
            Dialog {each}
          </Button>
        ))}
        <Button variant="secondary" onClick={() => openAs('small', false)}>
          Can't be closed
        </Button>
      </Row>
      <Row>
        <Button variant="secondary" onClick={ask}>
          Ask
        </Button>
        <Button
          variant="secondary"
          onClick={() =>
            confirm({ type: 'alert', title: 'Your code has expired', message: 'Ask the studio for a new one.' })
          }
        >
          Tell
        </Button>
        <span>{answer}</span>
      </Row>
      <Row>
        <Menu
          label="More actions"
          variant="secondary"
          items={[
            { label: 'Rename', icon: Pencil },
            { label: 'Download', icon: Download, href: '/kit' },
            { label: 'Archive', icon: Archive, disabled: true },
            'separator',
            { label: 'Delete', icon: Trash, danger: true },
          ]}
        />
        <Menu
          label="Actions for Ada Lovelace"
          icon={Ellipsis}
          items={[{ label: 'Edit' }, { label: 'Print camera card' }]}
        />
        <Tooltip text="Turns the photo a quarter to the right">
          <Button variant="secondary">Hover or focus me</Button>
        </Tooltip>
      </Row>
      <Row>
        <Button variant="secondary" onClick={() => toast('Saved on this phone')}>
          Toast
        </Button>
        <Button variant="secondary" onClick={() => toast('Sent to Riverside Portraits', 'success')}>
          Good news
        </Button>
        <Button variant="secondary" onClick={() => toastError(['Could not find this order'])}>
          One error
        </Button>
        <Button variant="secondary" onClick={() => toastError(['The name is taken', 'The date is in the past'])}>
          Two errors
        </Button>
      </Row>
      <Suspense>
        <Dialog
          open={size !== undefined}
          onClose={() => setSize(undefined)}
          size={shown}
          closable={closable}
          title="Choose a background"
          description="You see it exactly as it will be printed."
          actions={
            <>
              <Button variant="secondary" onClick={() => setSize(undefined)}>
                Cancel
              </Button>
              <Button onClick={() => setSize(undefined)}>Use this one</Button>
            </>
          }
        >
          <div className={styles.photos}>
            {['meadow', 'library', 'studio grey', 'brick'].map((name) => (
              <div key={name} className={styles.photo} title={name} />
            ))}
          </div>
        </Dialog>
      </Suspense>
    </Section>
  )
}

const Messages = () => (
  <Section title="Messages">
    <Notice title="Saved on this phone" action={<a href="#send">Send now</a>}>
      You are offline. Everything you choose is kept here and sent when there is a signal.
    </Notice>
    <Notice tone="success">Sent to Riverside Portraits.</Notice>
    <Notice tone="attention" title="One price has changed" onDismiss={() => toast('Dismissed')}>
      Portrait Package is now <Price cents={4500} />, it was <Price cents={4200} struck />.
    </Notice>
    <EmptyState icon={Images} title="No photos yet" action={<Button icon={Camera}>Upload photos</Button>}>
      Photos of this event appear here as soon as they are uploaded.
    </EmptyState>
  </Section>
)

const Waiting = () => (
  <Section title="Waiting">
    <Row>
      {loaderSizes.map((size) => (
        <Loader key={size} size={size} label={size} />
      ))}
    </Row>
    <div className={styles.photos}>
      <Skeleton shape="photo" />
      <Skeleton shape="photo" />
      <div>
        <Skeleton lines={3} />
        <Skeleton shape="block" width="60%" />
      </div>
    </div>
  </Section>
)

const Navigation = () => {
  const [tab, setTab] = useState('prepay')
  return (
    <Section title="Ways">
      <Breadcrumbs
        trail={[
          { label: 'Organizations', href: '/kit?organizations' },
          { label: 'Lincoln Elementary', href: '/kit?lincoln' },
        ]}
        current="Jobs"
      />
      <Tabs
        label="Orders"
        tabs={[
          { id: 'prepay', label: 'Prepay', count: 24 },
          { id: 'batch', label: 'Batch', count: 3 },
          { id: 'individual', label: 'Individual' },
          { id: 'submitted', label: 'Submitted' },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        The panel of {tab}.
      </Tabs>
      <TabLinks
        label="Settings"
        links={[
          { label: 'General', href: '/kit', current: true },
          { label: 'Gallery', href: '/kit?gallery', current: false },
        ]}
      />
    </Section>
  )
}

/** Shows every UI kit component in every state, light and dark; available at `/kit` in development only. */
export const KitPage = () => (
  <main className={styles.page}>
    <Head />
    <Type />
    <Buttons />
    <Fields />
    <Choices />
    <Forms />
    <Floating />
    <Messages />
    <Waiting />
    <Navigation />
    <ConfirmHost />
    <ToastHost />
  </main>
)
