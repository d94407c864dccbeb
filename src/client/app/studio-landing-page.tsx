import type { CodeRoute } from '#platform/urls.ts'
import { StudioScreen } from '../customer/discovery/studio/studio-screen.tsx'
import { FindForm } from '../home/find-form.tsx'
import { lazyFindOrder } from '../home/lazy-find-order.ts'
import { OrderSearchForm } from '../home/order-search-form.tsx'

/** The studio page with the order search: combines two features that are independent of each other. */
export const StudioLandingPage = (route: CodeRoute) => (
  <StudioScreen
    {...route}
    orderSearch={<OrderSearchForm find={lazyFindOrder} />}
    finder={<FindForm initialText={route.code ?? route.studioSlug} />}
  />
)
