import type { CodeRoute } from '#platform/urls.ts'
import { StudioScreen } from '../customer/discovery/studio/studio-screen.tsx'
import { lazyFindOrder } from '../home/lazy-find-order.ts'
import { OrderSearchForm } from '../home/order-search-form.tsx'

/** The studio's page with the order search on it: two features that know nothing of each other meet here. */
export const StudioLandingPage = (place: CodeRoute) => (
  <StudioScreen {...place} orderSearch={<OrderSearchForm find={lazyFindOrder} />} />
)
