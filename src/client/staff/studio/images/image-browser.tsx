import Images from 'lucide-react/icons/images'
import { useState } from 'react'
import { Pager } from '#client/staff/kit/list/pager.tsx'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { ImageListFilter, ImageLookup } from '#contract/studio/images/image-lookups.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import { imagesNeedVerification } from '#domain/studio/publish-checks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Tabs } from '#ui/navigation/tabs.tsx'
import { ImageBulkActions } from './image-bulk-actions.tsx'
import { CutOutReview, ImageDialog } from './image-dialog.tsx'
import { ImageGrid } from './image-grid.tsx'
import styles from './images.module.css'
import { MatchImagesPanel } from './match-images-panel.tsx'
import { MatchProgress, useMatchRun } from './match-progress.tsx'
import { PublishAllButton, PublishedNotice, usePublishAll } from './publish-all.tsx'
import { RejectedUploads, useRejectedUploads } from './rejected-uploads.tsx'
import { type ImageListOwner, type ImageParams, useImageList } from './use-image-list.ts'

const tabLabels: Record<ImageListFilter, string> = {
  unmatched: 'To match',
  'cut-outs': 'Cut-outs',
  unpublished: 'To publish',
  withdrawn: 'Withdrawn',
  all: 'All',
  subjects: 'People',
  groups: 'Groups',
  processing: 'Processing',
  refused: 'Rejected',
}

type ImageCounts = Readonly<Record<ImageListFilter, number>>

const tabsWithCounts = (counts: ImageCounts | undefined) =>
  // The entries of a record have the keys of its type.
  (Object.entries(tabLabels) as [ImageListFilter, string][]).map(([id, label]) => ({
    id,
    label,
    count: counts?.[id] ?? 0,
  }))

const emptyMessages: Partial<Record<ImageListFilter, string>> = {
  unmatched: 'Images without a match appear here.',
  'cut-outs': 'Green screen cut-outs appear here until you approve them.',
  unpublished: 'Images that parents don’t see yet appear here.',
  withdrawn: 'Images that you withdrew appear here.',
}

type TabActionsProps = { job: ImageParams; tab: ImageListFilter; counts: ImageCounts | undefined }

/** Matches or publishes all images of the selected tab, and shows the result of the last run. */
const TabActions = ({ job, tab, counts }: TabActionsProps) => {
  const { isMillersVerified } = useStudio()
  const matchRun = useMatchRun(job)
  const publishing = usePublishAll(job)
  const unpublished = counts?.unpublished ?? 0
  return (
    <>
      <div className={styles.notices}>
        {!isMillersVerified && <Notice tone="attention">{imagesNeedVerification}</Notice>}
        <PublishedNotice publishing={publishing} />
      </div>
      {matchRun?.state === 'running' ? (
        <MatchProgress run={matchRun} />
      ) : (
        tab === 'unmatched' && (counts?.unmatched ?? 0) > 0 && <MatchImagesPanel job={job} lastRun={matchRun} />
      )}
      {tab === 'unpublished' && unpublished > 0 && <PublishAllButton publishing={publishing} count={unpublished} />}
    </>
  )
}

const NoImages = ({ tab, isFiltered }: { tab: ImageListFilter; isFiltered: boolean }) => (
  <EmptyState icon={Images} title={isFiltered ? 'No matches' : 'No images here'}>
    <p>{emptyMessages[tab] ?? 'Choose images above; they appear here once uploaded.'}</p>
  </EmptyState>
)

type ImagePageProps = {
  job: ImageParams
  page: Page<ImageLookup>
  tab: ImageListFilter
  imagesPerRow: number
  selected: ReadonlySet<number>
  onSelect: (ids: ReadonlySet<number>) => void
  onOpen: (id: number) => void
  onPage: (page: number) => void
}

const ImagePage = ({ job, page, tab, imagesPerRow, selected, onSelect, onOpen, onPage }: ImagePageProps) => (
  <>
    {tab === 'cut-outs' ? (
      page.resultItems.map((image) => <CutOutReview key={image.id} job={job} image={image} />)
    ) : (
      <ImageGrid
        images={page.resultItems}
        imagesPerRow={imagesPerRow}
        selected={selected}
        onSelectionChange={onSelect}
        onOpen={onOpen}
      />
    )}
    <Pager paging={page} onPage={onPage} />
  </>
)

type ImageBrowserProps = {
  job: ImageParams
  imagesPerRow: number
  /** Limits the list to one subject or group. Without it, tabs list the job's images by state. */
  owner?: ImageListOwner
}

/** Images of a job, a subject or a group: search, selection, matching and publishing. The list's state is in the URL. */
export const ImageBrowser = ({ job, imagesPerRow, owner }: ImageBrowserProps) => {
  const { list, tab, filter, openId, counts, result, page, canReorder } = useImageList(job, owner)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const rejectedUploads = useRejectedUploads(job, { enabled: tab === 'refused' && !owner, filter })
  const hasRejected = (rejectedUploads.page?.totalRecords ?? 0) > 0
  const chooseTab = (nextTab: string) => {
    setSelected(new Set())
    list.chooseFilter('show', nextTab)
  }
  const content = (
    <>
      <TabActions job={job} tab={tab} counts={counts.data} />
      <Field label="Find images" hideLabel className={styles.filter}>
        <TextInput
          type="search"
          placeholder="File name, person or group"
          value={list.filter}
          onValue={list.setFilter}
          data-list-filter
        />
      </Field>
      {rejectedUploads.page && hasRejected && (
        <RejectedUploads job={job} page={rejectedUploads.page} onPage={rejectedUploads.goTo} />
      )}
      <QueryBoundary query={result} skeleton={<Skeleton lines={8} />}>
        {(data) => {
          const imagePage = toPage<ImageLookup>(data)
          if (imagePage.totalRecords === 0)
            return !hasRejected && <NoImages tab={tab} isFiltered={list.filter !== ''} />
          return (
            <ImagePage
              {...{ job, page: imagePage, tab, imagesPerRow, selected }}
              onSelect={setSelected}
              onOpen={(id) => list.chooseFilter('image', String(id))}
              onPage={list.goTo}
            />
          )
        }}
      </QueryBoundary>
    </>
  )
  return (
    <div className={styles.browser}>
      {owner ? (
        content
      ) : (
        <Tabs label="Which images" tabs={tabsWithCounts(counts.data)} selected={tab} onSelect={chooseTab}>
          {content}
        </Tabs>
      )}
      {selected.size > 0 && (
        <ImageBulkActions
          job={job}
          images={page?.resultItems ?? []}
          selected={selected}
          canReorder={canReorder}
          onClear={() => setSelected(new Set())}
        />
      )}
      {openId && /^\d+$/.test(openId) && (
        <ImageDialog job={job} imageId={Number(openId)} onClose={() => list.chooseFilter('image', undefined)} />
      )}
    </div>
  )
}
