import Images from 'lucide-react/icons/images'
import { useState } from 'react'
import { Pager } from '#client/staff/kit/list/pager.tsx'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { ImageListFilter, ImageLookup } from '#contract/studio/image-lookups.ts'
import { toPage } from '#domain/shared/paging.ts'
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
import type { ImageParams } from './image-params.ts'
import styles from './images.module.css'
import { MatchImagesPanel } from './match-images-panel.tsx'
import { MatchProgress, useMatchRun } from './match-progress.tsx'
import { PublishAllButton, PublishedNotice, usePublishAll } from './publish-all.tsx'
import { RefusedUploads, useRefusedUploads } from './rejected-uploads.tsx'
import { type ImageListOwner, useImageFilter } from './use-image-filter.ts'

const labels: Record<ImageListFilter, string> = {
  unmatched: 'To match',
  'cut-outs': 'Cut-outs',
  unpublished: 'To publish',
  withdrawn: 'Withdrawn',
  all: 'All',
  subjects: 'People',
  groups: 'Groups',
  processing: 'Being made ready',
  refused: 'Not taken',
}

const empties: Partial<Record<ImageListFilter, string>> = {
  unmatched: 'Pictures whose person was not found are listed here for you to match.',
  'cut-outs': 'Cut-outs made of green screen pictures are listed here until you approve them.',
  unpublished: 'Pictures that customers do not see yet are listed here.',
  withdrawn: 'Pictures that were published and then withdrawn are listed here.',
}

type ImageBrowserProps = {
  job: ImageParams
  perRow: number
  /** Limits the list to one subject or group. Without it the list shows the job's images by state. */
  owner?: ImageListOwner
}

/** Images of a job, a subject or a group: search, selection, matching and publishing. The state is in the address. */
export const ImageBrowser = ({ job, perRow, owner }: ImageBrowserProps) => {
  const { isMillersVerified } = useStudio()
  const { list, show, filter, openId, counts, result, page, canOrder } = useImageFilter(job, owner)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const matching = useMatchRun(job)
  const rejectedUploads = useRefusedUploads(job, { when: show === 'refused' && !owner, filter })
  const hasNotTaken = (rejectedUploads.page?.totalRecords ?? 0) > 0
  const publishing = usePublishAll(job)
  const unpublished = counts.data?.unpublished ?? 0
  const choose = (next: string) => {
    setSelected(new Set())
    list.choose('show', next)
  }
  const content = (
    <>
      <div className={styles.notices}>
        {!isMillersVerified && <Notice tone="attention">{imagesNeedVerification}</Notice>}
        <PublishedNotice publishing={publishing} />
      </div>
      {matching?.state === 'running' ? (
        <MatchProgress run={matching} />
      ) : (
        show === 'unmatched' && (counts.data?.unmatched ?? 0) > 0 && <MatchImagesPanel job={job} last={matching} />
      )}
      {show === 'unpublished' && unpublished > 0 && <PublishAllButton publishing={publishing} count={unpublished} />}
      <Field label="Find pictures" hideLabel className={styles.seek}>
        <TextInput
          type="search"
          placeholder="File name, person or group"
          value={list.filter}
          onValue={list.setFilter}
          data-list-filter
        />
      </Field>
      {rejectedUploads.page && hasNotTaken && (
        <RefusedUploads job={job} page={rejectedUploads.page} onPage={rejectedUploads.goTo} />
      )}
      <QueryBoundary query={result} skeleton={<Skeleton lines={8} />}>
        {(data) => {
          const page = toPage<ImageLookup>(data)
          if (page.totalRecords === 0) {
            return hasNotTaken ? null : (
              <EmptyState icon={Images} title={list.filter ? 'Nothing fits' : 'No pictures here'}>
                <p>{empties[show] ?? 'Choose pictures above; they appear here once they are uploaded.'}</p>
              </EmptyState>
            )
          }
          return (
            <>
              {show === 'cut-outs' ? (
                page.resultItems.map((image) => <CutOutReview key={image.id} job={job} image={image} />)
              ) : (
                <ImageGrid
                  images={page.resultItems}
                  perRow={perRow}
                  selected={selected}
                  onSelect={setSelected}
                  onOpen={(id) => list.choose('image', String(id))}
                />
              )}
              <Pager paging={page} onPage={list.goTo} />
            </>
          )
        }}
      </QueryBoundary>
    </>
  )
  const tabs = Object.entries(labels).map(([id, label]) => ({
    id,
    label,
    count: counts.data?.[id as ImageListFilter] ?? 0,
  })) // keys of `tabs`
  return (
    <div className={styles.pictures}>
      {owner ? (
        content
      ) : (
        <Tabs label="Which pictures" tabs={tabs} selected={show} onSelect={choose}>
          {content}
        </Tabs>
      )}
      {selected.size > 0 && (
        <ImageBulkActions
          job={job}
          images={page?.resultItems ?? []}
          selected={selected}
          canOrder={canOrder}
          onNone={() => setSelected(new Set())}
        />
      )}
      {openId && /^\d+$/.test(openId) && (
        <ImageDialog job={job} imageId={Number(openId)} onClose={() => list.choose('image', undefined)} />
      )}
    </div>
  )
}
