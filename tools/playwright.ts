export { type Browser, chromium, type Locator, type Page } from 'playwright-core';
