import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api.ts';
import { App } from './app.tsx';

// A link to a post is a page of its own for what shows a preview of it.
if (location.pathname !== '/') history.replaceState(null, '', `/#${location.pathname}`);

const place = document.getElementById('app');
if (place === null) throw new Error('index.html has no place for the app.');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
