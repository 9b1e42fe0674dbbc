"""The dashboards: a Voilà server with a start page, and the same pages inside a Jupyter server.

``app`` is the server behind ``coursekit serve``; ``jupyter_pages`` gives Binder and JupyterLab the
same pages.  Both use ``handlers``, ``kernels``, ``pages`` and ``notebooks``.
"""
