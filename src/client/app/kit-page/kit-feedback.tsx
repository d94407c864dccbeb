import Camera from 'lucide-react/icons/camera'
import Images from 'lucide-react/icons/images'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader, loaderSizes } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Breadcrumbs } from '#ui/navigation/breadcrumbs.tsx'
import { TabLinks, Tabs } from '#ui/navigation/tabs.tsx'
import { Price } from '#ui/price.tsx'
import { toast } from '#ui/toast/toast.ts'
import { KitRow, KitSection } from './kit-buttons.tsx'
import styles from './kit-page.module.css'

/** Notices and empty states. */
export const Messages = () => (
  <KitSection title="Messages">
    <Notice title="Saved on this phone" action={<a href="#send">Send now</a>}>
      You are offline. Everything you choose is saved and sent when there is a signal.
    </Notice>
    <Notice tone="success">Sent to Riverside Portraits.</Notice>
    <Notice tone="attention" title="One price has changed" onDismiss={() => toast('Dismissed')}>
      Portrait Package is now <Price cents={4500} />, it was <Price cents={4200} isCrossedOut />.
    </Notice>
    <EmptyState icon={Images} title="No photos yet" action={<Button icon={Camera}>Upload photos</Button>}>
      Photos of this event appear here as soon as they are uploaded.
    </EmptyState>
  </KitSection>
)

/** Loaders and skeletons. */
export const Waiting = () => (
  <KitSection title="Waiting">
    <KitRow>
      {loaderSizes.map((size) => (
        <Loader key={size} size={size} label={size} />
      ))}
    </KitRow>
    <div className={styles.photos}>
      <Skeleton shape="photo" />
      <Skeleton shape="photo" />
      <div>
        <Skeleton lines={3} />
        <Skeleton shape="block" width="60%" />
      </div>
    </div>
  </KitSection>
)

/** Breadcrumbs and tabs. */
export const Navigation = () => {
  const [tab, setTab] = useState('prepay')
  return (
    <KitSection title="Navigation">
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
    </KitSection>
  )
}
